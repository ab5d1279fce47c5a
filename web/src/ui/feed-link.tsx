import { t } from '@lingui/core/macro'
import { Rss } from 'lucide-react'
import { useRef } from 'react'
import { Icon } from './icon.tsx'
import { MoreActions } from './more-actions.tsx'

/** An entry of a menu: the RSS feed of what a page lists. */
export function FeedLink({ path }: { path: string }) {
  return (
    <a href={path} type="application/rss+xml">
      <Icon of={Rss} size={18} />
      {t`RSS`}
    </a>
  )
}

/** A menu of the feed alone. */
export function FeedMenu({ path }: { path: string }) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <MoreActions ref={button}>
      <FeedLink path={path} />
    </MoreActions>
  )
}
