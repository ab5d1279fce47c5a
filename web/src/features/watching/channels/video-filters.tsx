import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { ChannelSort } from '@kinora/contract/watching/channels.ts'
import { ListVideo } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { BareSelect } from '../../../ui/forms/select.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './video-filters.module.css'

const sorts: Record<ChannelSort, MessageDescriptor> = {
  newest: msg`Newest`,
  popular: msg`Most watched`,
  oldest: msg`Oldest`,
}

/** Filters of the list of a channel. */
export interface ChannelView {
  text: string
  sort: ChannelSort
  showsPlaylists: boolean
}

/** Finds and sorts the videos of a channel, or shows its playlists instead; `children` stand behind. */
export function VideoFilters({
  view: { text, sort, showsPlaylists },
  onChange,
  children,
}: {
  view: ChannelView
  onChange: (view: Partial<ChannelView>) => void
  children?: ReactNode
}) {
  return (
    <div className={styles['filters']}>
      <input
        type="search"
        aria-label={t`Find in this channel`}
        placeholder={t`Find in this channel`}
        value={text}
        onChange={({ currentTarget }) => onChange({ text: currentTarget.value, showsPlaylists: false })}
      />
      <BareSelect
        aria-label={t`Order`}
        value={sort}
        onChange={({ currentTarget }) =>
          onChange({ sort: sortNamed(currentTarget.value), showsPlaylists: false })
        }
      >
        {Object.entries(sorts).map(([value, label]) => (
          <option key={value} value={value}>
            {i18n._(label)}
          </option>
        ))}
      </BareSelect>
      <Button aria-pressed={showsPlaylists} onClick={() => onChange({ showsPlaylists: !showsPlaylists })}>
        <Icon of={ListVideo} size={18} />
        {t`Playlists`}
      </Button>
      {children}
    </div>
  )
}

/** Reserves the space of the filters. */
export function VideoFiltersSkeleton() {
  return <div className={styles['filters']} aria-hidden="true" />
}

/** The order of a name; `newest` of an unknown one. */
export function sortNamed(name: string | null): ChannelSort {
  return name === 'popular' || name === 'oldest' ? name : 'newest'
}
