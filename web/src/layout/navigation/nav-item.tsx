import { useQueryClient } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { type MouseEvent, useId } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { type Auth, authQuery } from '../../features/accounts/sessions/api.ts'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { formatCount } from '../../lib/format/counts.ts'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './nav-item.module.css'

/** One entry of the main navigation; where it leads may depend on who is signed in. */
export function NavItem({
  icon,
  label,
  to,
  note,
  count = 0,
  covers,
  className,
  onNavigate,
}: {
  icon: LucideIcon
  label: string
  to: (auth: Auth) => string
  /** Text of a dot beside the entry, or of `count`; no part of its name. */
  note?: string | undefined
  /** A number that stands for the dot where there is room. */
  count?: number
  /** Other paths at which it is the current one. */
  covers?: RegExp | undefined
  className?: string | undefined
  onNavigate?: (() => void) | undefined
}) {
  const auth = useAuth()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { pathname } = useLocation()
  const noteId = useId()
  const target = to(auth)

  // Where a link leads may depend on who is signed in: a click before that is known waits for it.
  function onClick(event: MouseEvent) {
    onNavigate?.()
    if (auth.authStatus !== null || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return
    event.preventDefault()
    // Does nothing if the user has navigated meanwhile.
    const { href } = location
    void client.ensureQueryData(authQuery).then((known) => location.href === href && navigate(to(known)))
  }

  return (
    <li className={className}>
      <Link
        to={target}
        onClick={onClick}
        aria-current={isCurrent(target, pathname, covers) ? 'page' : undefined}
        aria-describedby={note && noteId}
        title={note}
      >
        <span className={styles['icon']}>
          <Icon of={icon} />
          {note && <i aria-hidden="true" />}
        </span>
        <span>{label}</span>
        {count > 0 && (
          <span className={styles['count']} aria-hidden="true">
            {formatCount(count)}
          </span>
        )}
      </Link>
      {note && (
        <span id={noteId} hidden>
          {note}
        </span>
      )}
    </li>
  )
}

/** Whether a link is the current one. "My Channel" also covers tabs without an item of their own. */
function isCurrent(target: string, pathname: string, covers?: RegExp): boolean {
  // Items that lead visitors to the login page are never current.
  if (target === paths.login()) return false
  const here = pathname.toLowerCase().replace(/(.)\/$/, '$1')
  const there = target.toLowerCase()
  if (here === there || covers?.test(here)) return true
  const [, channel] = /^(\/c\/[^/]+)\/videos$/.exec(there) ?? []
  return channel !== undefined && new RegExp(`^${channel}/(dashboard|edit)(/|$)`).test(here)
}
