import { t } from '@lingui/core/macro'
import { Rss } from 'lucide-react'
import { buttonClass } from './button.tsx'
import { Icon } from './icon.tsx'

/** A link to the RSS feed of what a page lists. */
export function FeedLink({ path }: { path: string }) {
  return (
    <a className={buttonClass('bare')} href={path} type="application/rss+xml">
      <Icon of={Rss} size={18} />
      {t`RSS`}
    </a>
  )
}
