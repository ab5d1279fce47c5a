import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { StudioSort } from '@kinora/contract/videos/studio.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { pageSize, studioQuery, type StudioView } from '../../features/videos/studio/api.ts'
import { useStudioChannel } from '../../features/videos/collaborators/use-studio-channel.ts'
import { BulkBar } from '../../features/videos/studio/bulk-bar.tsx'
import { StudioList } from '../../features/videos/studio/studio-list.tsx'
import { useBulkActions } from '../../features/videos/studio/use-bulk-actions.ts'
import { visibilities, visibilityNamed, visibilityNames } from '../../features/videos/studio/visibilities.ts'
import { UnfinishedRecordings } from '../../features/videos/uploads/recording/unfinished-recordings.tsx'
import { UploadsOfOthers } from '../../features/videos/uploads/uploads-of-others.tsx'
import { ChannelUploadButton } from '../../features/videos/uploads/tray/channel-upload-button.tsx'
import { CreateButton } from '../../features/videos/uploads/tray/create-button.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { QuerySection } from '../../ui/query-section.tsx'
import { StudioFrame } from './studio-frame.tsx'
import styles from './studio-page.module.css'

const sorts: Record<StudioSort, MessageDescriptor> = {
  newest: msg`Newest first`,
  oldest: msg`Oldest first`,
  title: msg`Title`,
  views: msg`Most viewed`,
  likes: msg`Most liked`,
}

const sortNames = Object.keys(sorts) as StudioSort[]
const sortNamed = (text: string | null) => sortNames.find((name) => name === text) ?? 'newest'

/** All videos of a channel, whatever their visibility. */
export function StudioPage() {
  return (
    <StudioFrame>
      <Studio />
    </StudioFrame>
  )
}

function Studio() {
  const { channel, isManager } = useStudioChannel()
  const [view, setView] = useView(channel)
  const query = useQuery(studioQuery(view))
  const { data } = query
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const bulk = useBulkActions(channel)
  const videos = data?.videos.filter(({ _id }) => !bulk.deletedIds.has(_id)) ?? []
  const chosen = videos.filter(({ _id }) => selected.has(_id))
  const isFiltered = view.text !== '' || view.visibility !== undefined

  return (
    <section aria-label={t`Videos`}>
      {channel !== undefined && (
        <div className={styles['upload']}>
          <ChannelUploadButton channel={channel} />
        </div>
      )}
      <UnfinishedRecordings channel={channel} />
      <UploadsOfOthers channel={channel} />
      <div className={styles['filters']}>
        <SearchField label={t`Find in your videos`} text={view.text} onSearch={(text) => setView({ text })} />
        <Select
          label={t`Show`}
          value={view.visibility ?? ''}
          onChange={({ currentTarget }) => setView({ visibility: visibilityNamed(currentTarget.value) })}
        >
          <option value="">{t`All videos`}</option>
          {visibilityNames.map((name) => (
            <option key={name} value={name}>
              {i18n._(visibilities[name].label)}
            </option>
          ))}
        </Select>
        <Select
          label={t`Sort`}
          value={view.sort}
          onChange={({ currentTarget }) => setView({ sort: sortNamed(currentTarget.value) })}
        >
          {sortNames.map((name) => (
            <option key={name} value={name}>
              {i18n._(sorts[name])}
            </option>
          ))}
        </Select>
      </div>
      <BulkBar
        chosen={chosen}
        notice={bulk.notice}
        onChange={(change) => {
          bulk.change(chosen, change)
          setSelected(new Set())
        }}
        onDelete={
          isManager
            ? () => {
                bulk.remove(chosen)
                setSelected(new Set())
              }
            : undefined
        }
      />
      <QuerySection
        query={{ ...query, data: data && videos }}
        failure={t`Could not load your videos`}
        skeleton={<Skeleton width="100%" height={240} />}
        empty={
          isFiltered || data?.total !== 0 ? (
            <EmptyState title={t`No videos`} text={t`Nothing to show here.`} />
          ) : (
            <EmptyState title={t`No videos`} text={t`Videos you upload appear here.`}>
              {channel === undefined && <CreateButton label={t`Upload the first one`} />}
            </EmptyState>
          )
        }
      >
        {(shown) => <StudioList videos={shown} selection={{ selected, onSelect: setSelected }} />}
      </QuerySection>
      {data && (data.total > pageSize || view.page > 0) && (
        <div className={styles['pages']}>
          <Button
            disabled={view.page === 0}
            onClick={() => setView({ page: view.page - 1 })}
          >{t`Previous`}</Button>
          <Button
            disabled={(view.page + 1) * pageSize >= data.total}
            onClick={() => setView({ page: view.page + 1 })}
          >{t`Next`}</Button>
        </div>
      )}
    </section>
  )
}

/** Filters and sorting of the list, stored in the URL. */
function useView(channel: string | undefined): [StudioView, (change: Partial<StudioView>) => void] {
  const [params, setParams] = useSearchParams()
  const view: StudioView = {
    channel,
    text: params.get('text') ?? '',
    visibility: visibilityNamed(params.get('visibility')),
    sort: sortNamed(params.get('sort')),
    page: Math.max(0, Number.parseInt(params.get('page') ?? '0', 10) || 0),
  }
  const setView = (change: Partial<StudioView>) => {
    const { text, visibility, sort, page } = { ...view, page: 0, ...change }
    setParams(
      {
        ...(channel === undefined ? {} : { channel }),
        ...(text ? { text } : {}),
        ...(visibility ? { visibility } : {}),
        ...(sort === 'newest' ? {} : { sort }),
        ...(page > 0 ? { page: String(page) } : {}),
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return [view, setView]
}
