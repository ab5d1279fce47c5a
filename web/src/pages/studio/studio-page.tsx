import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { StudioSort } from '@kinora/contract/videos/studio.ts'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn, Link2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { WatchedWordsDialog } from '../../features/conversation/comments/watched-words-dialog.tsx'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { pageSize, studioQuery, type StudioView } from '../../features/videos/studio/api.ts'
import { BulkBar } from '../../features/videos/studio/bulk-bar.tsx'
import { StudioList } from '../../features/videos/studio/studio-list.tsx'
import { useBulkActions } from '../../features/videos/studio/use-bulk-actions.ts'
import { visibilities, visibilityNamed, visibilityNames } from '../../features/videos/studio/visibilities.ts'
import { settings } from '../../lib/settings.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { paths } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { Icon } from '../../ui/icon.tsx'
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

/** All videos of the signed-in user, whatever their visibility. */
export function StudioPage() {
  return (
    <MembersOnly skeleton={null}>
      <PageTitle title={t`Studio`} />
      <Studio />
    </MembersOnly>
  )
}

function Studio() {
  const [view, setView] = useView()
  const { data, isPending, isError, refetch } = useQuery(studioQuery(view))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isWatchingWords, setIsWatchingWords] = useState(false)
  const bulk = useBulkActions()
  const videos = data?.videos.filter(({ _id }) => !bulk.deletedIds.has(_id)) ?? []
  const chosen = videos.filter(({ _id }) => selected.has(_id))
  const isFiltered = view.text !== '' || view.visibility !== undefined

  return (
    <section aria-labelledby="studio">
      <h1 className={styles['heading']} id="studio">
        {t`Studio`} {data && <small>{data.total}</small>}
      </h1>
      <p className={styles['links']}>
        <Link className={buttonClass('quiet')} to={paths.analytics()}>
          <Icon of={ChartColumn} />
          {t`Channel analytics`}
        </Link>
        {settings.importByAddress && (
          <Link className={buttonClass('quiet')} to={paths.videoImports()}>
            <Icon of={Link2} />
            {t`Import from an address`}
          </Link>
        )}
        <Button onClick={() => setIsWatchingWords(true)}>{t`Watched words…`}</Button>
      </p>
      {isWatchingWords && <WatchedWordsDialog onClose={() => setIsWatchingWords(false)} />}
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
        onDelete={() => {
          bulk.remove(chosen)
          setSelected(new Set())
        }}
      />
      {isError && !data && (
        <LoadFailure title={t`Could not load your videos`} onRetry={() => void refetch()} />
      )}
      {!isPending && !isError && videos.length === 0 && (
        <EmptyState
          title={t`No videos`}
          text={
            data?.total === 0 && !isFiltered ? t`Videos you upload appear here.` : t`Nothing to show here.`
          }
        />
      )}
      {videos.length > 0 && <StudioList videos={videos} selected={selected} onSelect={setSelected} />}
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
function useView(): [StudioView, (change: Partial<StudioView>) => void] {
  const [params, setParams] = useSearchParams()
  const view: StudioView = {
    text: params.get('text') ?? '',
    visibility: visibilityNamed(params.get('visibility')),
    sort: sortNamed(params.get('sort')),
    page: Math.max(0, Number.parseInt(params.get('page') ?? '0', 10) || 0),
  }
  const setView = (change: Partial<StudioView>) => {
    const { text, visibility, sort, page } = { ...view, page: 0, ...change }
    setParams(
      {
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
