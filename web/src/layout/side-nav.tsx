import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  CircleUserRound,
  History,
  House,
  LogOut,
  Menu,
  UserPlus,
  UsersRound,
  type LucideIcon,
} from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { type Auth, authQuery } from '../features/auth/api.ts'
import { useAuth } from '../features/auth/use-auth.ts'
import { subscriptionsQuery } from '../features/subscriptions/api.ts'
import { paths } from '../paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import styles from './side-nav.module.css'

const SHOWN_SUBSCRIPTIONS = 5

/** The main navigation: a column on wide screens, a rail on tablets, a dock at the bottom of phones. */
export function SideNav() {
  const { authStatus, authData } = useAuth()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const closeSheet = () => setSheetOpen(false)
  const me = authData?.username
  return (
    <nav className={styles['nav']} aria-label="Main">
      <ul className={styles['items']}>
        <NavItem icon={House} label="Home" to={() => paths.home()} />
        <NavItem icon={UsersRound} label="Subscriptions" to={memberPath(paths.subscribedTo)} />
        <NavItem icon={History} label="History" to={memberPath(paths.history)} />
        {me !== undefined && (
          <>
            <NavItem icon={CircleUserRound} label="My Channel" to={() => paths.channelVideos(me)} />
            <NavItem icon={LogOut} label="Logout" to={() => paths.logout()} className={styles['wide']} />
            <li className={styles['more']}>
              <button type="button" aria-haspopup="dialog" onClick={() => setSheetOpen(true)}>
                <Icon of={Menu} />
                <span>More</span>
              </button>
            </li>
          </>
        )}
        {authStatus === false && <NavItem icon={UserPlus} label="Register" to={() => paths.register()} />}
      </ul>
      {me !== undefined && <SubscriptionList username={me} className={styles['aside']} />}
      {me !== undefined && isSheetOpen && (
        <Dialog title="More" onClose={closeSheet}>
          <div className={styles['sheet']}>
            <SubscriptionList username={me} onNavigate={closeSheet} />
            <ul>
              <NavItem icon={LogOut} label="Logout" to={() => paths.logout()} onNavigate={closeSheet} />
            </ul>
          </div>
        </Dialog>
      )}
    </nav>
  )
}

/** A page of one's own, or the login page for visitors. */
function memberPath(path: (username: string) => string): (auth: Auth) => string {
  return ({ authData }) => (authData ? path(authData.username) : paths.login())
}

function NavItem({
  icon,
  label,
  to,
  className,
  onNavigate,
}: {
  icon: LucideIcon
  label: string
  to: (auth: Auth) => string
  className?: string | undefined
  onNavigate?: () => void
}) {
  const auth = useAuth()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { pathname } = useLocation()
  const target = to(auth)

  // Where a link leads may depend on who is signed in: a click before that is known waits for it.
  function onClick(event: MouseEvent) {
    onNavigate?.()
    if (auth.authStatus !== null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return
    event.preventDefault()
    void client.ensureQueryData(authQuery).then((known) => navigate(to(known)))
  }

  return (
    <li className={className}>
      <Link to={target} onClick={onClick} aria-current={isCurrent(target, pathname) ? 'page' : undefined}>
        <Icon of={icon} />
        <span>{label}</span>
      </Link>
    </li>
  )
}

/** Marks where one is; "My Channel" also stands for the tabs that have no item of their own. */
function isCurrent(target: string, pathname: string): boolean {
  const here = pathname.toLowerCase().replace(/(.)\/$/, '$1')
  const there = target.toLowerCase()
  if (here === there) return true
  const [, channel] = /^(\/c\/[^/]+)\/videos$/.exec(there) ?? []
  return channel !== undefined && new RegExp(`^${channel}/(dashboard|edit)(/|$)`).test(here)
}

function SubscriptionList({
  username,
  className,
  onNavigate,
}: {
  username: string
  className?: string | undefined
  onNavigate?: () => void
}) {
  const { data, isPending } = useQuery(subscriptionsQuery(username))
  const channels = data?.items.slice(0, SHOWN_SUBSCRIPTIONS).map((entry) => entry.subscribedToName) ?? []
  if (!isPending && channels.length === 0) return null
  return (
    <section className={className} aria-labelledby="nav-subscriptions">
      <h2 id="nav-subscriptions">Subscriptions</h2>
      <ul className={styles['subscriptions']} aria-labelledby="nav-subscriptions" aria-busy={isPending}>
        {isPending &&
          [62, 88, 74, 96, 68].map((width) => (
            <li key={width} className={styles['placeholder']} data-skeleton="subscription">
              <Skeleton round width={28} height={28} />
              <Skeleton width={width} height={12} />
            </li>
          ))}
        {channels.map((channel) => (
          <li key={channel.username}>
            <Link to={paths.channel(channel.username)} onClick={onNavigate}>
              <Avatar src={channel.avatar} name={channel.fullname} size={28} />
              <span>{channel.fullname}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
