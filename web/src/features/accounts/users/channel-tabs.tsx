import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import { useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router'
import { paths } from '../../../paths.ts'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import styles from './channel-tabs.module.css'

/** Tabs of a channel; owners see three more. A row that does not fit scrolls and fades at its clipped sides. */
export function ChannelTabs({ username, isOwn }: { username: string; isOwn: boolean }) {
  const ref = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const tabs = [
    { label: t`Videos`, to: paths.channelVideos(username) },
    { label: t`Subscribed to`, to: paths.subscribedTo(username) },
    ...(isOwn
      ? [
          { label: t`Dashboard`, to: paths.dashboard(username) },
          { label: t`History`, to: paths.history(username) },
          { label: t`Edit`, to: paths.edit(username) },
        ]
      : []),
  ]

  const current = tabs.findIndex(({ to }) => pathname.toLowerCase().startsWith(to.toLowerCase()))

  // Scrolls the open tab into view on phones. Only the row scrolls, never the page.
  useEffect(() => {
    const row = ref.current
    const tab = row?.children[current]
    if (row && tab instanceof HTMLElement) {
      row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
    }
  }, [current])

  useEffect(() => {
    const row = ref.current
    if (!row) return
    const updateOverflow = () => {
      // Negative from right to left.
      const hiddenBefore = Math.abs(row.scrollLeft)
      const hiddenAfter = row.scrollWidth - row.clientWidth - hiddenBefore
      row.toggleAttribute('data-more-before', hiddenBefore > 1)
      row.toggleAttribute('data-more-after', hiddenAfter > 1)
    }
    const observer = new ResizeObserver(updateOverflow)
    // The row resizes with the window, the tabs with the font and the owner.
    for (const element of [row, ...row.children]) observer.observe(element)
    row.addEventListener('scroll', updateOverflow, { passive: true })
    return () => {
      observer.disconnect()
      row.removeEventListener('scroll', updateOverflow)
    }
    // Owners have more tabs: a trigger that the effect does not read.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [isOwn])

  return (
    <nav ref={ref} className={styles['tabs']} aria-label={t`Channel`}>
      {tabs.map(({ label, to }) => (
        <NavLink key={label} to={to} data-label={label} preventScrollReset>
          {label}
        </NavLink>
      ))}
    </nav>
  )
}

/** Placeholder until the owner, and so the number of tabs, is known. */
export function ChannelTabsSkeleton() {
  return (
    <div className={clsx(styles['tabs'], styles['placeholder'])} aria-hidden="true">
      <Skeleton />
      <Skeleton />
    </div>
  )
}
