import { i18n, type MessageDescriptor } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode, Ref } from 'react'
import { PageTitle } from '../../ui/page-title.tsx'
import { formatFullCount } from '../../lib/format/counts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { type Listed, type ListView, pageSize } from './api.ts'
import styles from './entry-list.module.css'

/** A list of the administration: its heading, search and filter, its entries and pages. */
export function EntryList<Entry>({
  title,
  findLabel,
  filters,
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
  return (
    <section aria-labelledby="entries">
      <PageTitle title={t`${title} · Administration`} />
      <h2 ref={headingRef} className={styles['heading']} id="entries" tabIndex={-1}>
        {title} {data && <small>{formatFullCount(data.total)}</small>}
      </h2>
      <div className={styles['filters']}>
        {findLabel !== undefined && (
          <Field
            label={findLabel}
            type="search"
            value={view.text}
            onChange={({ currentTarget }) => setView({ text: currentTarget.value })}
          />
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
      {data?.entries.length === 0 && (
        <EmptyState
          title={isFiltered ? t`Nothing found` : t`Nothing here yet`}
          text={isFiltered ? t`No entry matches the search.` : emptyText}
        />
      )}
      {data && data.entries.length > 0 && children(data.entries)}
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
