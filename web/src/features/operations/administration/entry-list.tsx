import { i18n, type MessageDescriptor } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { PageTitle } from '../../../ui/page-title.tsx'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { type Listed, type ListView, pageSize } from './api.ts'
import styles from './entry-list.module.css'

/** A list of the administration: its heading, search and filter, its entries and pages. */
export function EntryList<Entry>({
  title,
  findLabel,
  filters,
  emptyTitle = t`Nothing here yet`,
  emptyText,
  view,
  isFiltered = view.text !== '' || view.show !== '',
  setView,
  result: { data, isPending, isError, refetch },
  headingRef,
  bar,
  children,
}: {
  title: string
  /** Label of the search; without it there is none. */
  findLabel?: string
  /** Names of the filters, by the value of `view.show`. */
  filters?: Readonly<Record<string, MessageDescriptor>>
  /** Shown where the site has no entries. */
  emptyTitle?: string | undefined
  emptyText: string
  view: ListView
  /** Whether entries may exist that the view leaves out. */
  isFiltered?: boolean
  setView: (change: Partial<ListView>) => void
  result: UseQueryResult<Listed<Entry>>
  /** Of the heading, which can be focused. */
  headingRef?: Ref<HTMLHeadingElement>
  /** Between the search and the entries. */
  bar?: ReactNode
  children: (entries: Entry[]) => ReactNode
}) {
  const section = useRef<HTMLElement>(null)
  const heading = () => section.current?.querySelector('h2')
  const hasFocus = useRef(false)
  const entries = data?.entries
  const lastPage = Math.max(0, Math.ceil((data?.total ?? 0) / pageSize) - 1)

  // An action may take away the row that has its button.
  useEffect(() => {
    if (entries && hasFocus.current && document.activeElement === document.body) heading()?.focus()
  }, [entries])

  // The last entry of the last page has gone.
  const isBeyond = entries?.length === 0 && view.page > lastPage
  useEffect(() => {
    if (isBeyond) setView({ page: lastPage })
    // `setView` is another function at each render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isBeyond, lastPage])

  function turnTo(page: number) {
    // to the first of the new entries
    heading()?.focus()
    setView({ page })
  }

  return (
    // Follows the focus of the elements inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={section}
      aria-labelledby="entries"
      onFocus={() => (hasFocus.current = true)}
      onBlur={({ relatedTarget }) => (hasFocus.current = relatedTarget !== null)}
    >
      <PageTitle title={t`${title} · Administration`} />
      <h2 ref={headingRef} className={styles['heading']} id="entries" tabIndex={-1}>
        {title} {data && <small>{formatFullCount(data.total)}</small>}
      </h2>
      <div className={styles['filters']}>
        {findLabel !== undefined && (
          <SearchField label={findLabel} text={view.text} onSearch={(text) => setView({ text })} />
        )}
        {filters && (
          <Select
            label={t`Show`}
            value={view.show in filters ? view.show : ''}
            onChange={({ currentTarget }) => setView({ show: currentTarget.value })}
          >
            {Object.entries(filters).map(([value, name]) => (
              <option key={value} value={value}>
                {i18n._(name)}
              </option>
            ))}
          </Select>
        )}
      </div>
      {bar}
      {isPending && <EntriesSkeleton />}
      {isError && !data && <LoadFailure title={t`Could not load the list`} onRetry={() => void refetch()} />}
      {entries?.length === 0 && !isBeyond && (
        <EmptyState
          title={isFiltered ? t`Nothing found` : emptyTitle}
          text={isFiltered ? t`No entry matches the search.` : emptyText}
        />
      )}
      {entries && entries.length > 0 && children(entries)}
      {data && (data.total > pageSize || view.page > 0) && (
        <div className={styles['pages']}>
          <Button disabled={view.page === 0} onClick={() => turnTo(view.page - 1)}>{t`Previous`}</Button>
          <Button
            disabled={(view.page + 1) * pageSize >= data.total}
            onClick={() => turnTo(view.page + 1)}
          >{t`Next`}</Button>
        </div>
      )}
    </section>
  )
}

function EntriesSkeleton() {
  return (
    <div className={styles['skeleton']} aria-hidden="true">
      {Array.from({ length: 6 }, (_, index) => (
        // Identical and never reordered, so the index is a stable key.
        <Skeleton key={index} height={40} />
      ))}
    </div>
  )
}
