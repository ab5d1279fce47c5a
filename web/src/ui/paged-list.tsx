import type { ReactNode } from 'react'
import { LoadMore, type MorePages } from './feedback/load-more.tsx'
import { QuerySection } from './query-section.tsx'

/** The part of a paged query that a list shows. */
export interface Pages extends MorePages {
  isPending: boolean
  isError: boolean
  refetch: () => unknown
}

/** Items of a paged query, and further pages when their end is near. */
export function PagedList<Item>({
  query,
  items,
  failure,
  skeleton,
  empty,
  children,
}: {
  query: Pages
  /** Of all pages so far. */
  items: readonly Item[]
  /** Title of the failure. */
  failure: string
  skeleton: ReactNode
  empty: ReactNode
  children: (items: readonly Item[]) => ReactNode
}) {
  const hasFailed = query.isError && items.length === 0
  const data = query.isPending || hasFailed ? undefined : items
  return (
    <>
      <QuerySection
        query={{ data, isError: hasFailed, refetch: query.refetch }}
        failure={failure}
        skeleton={skeleton}
        empty={empty}
      >
        {children}
      </QuerySection>
      <LoadMore query={query} />
    </>
  )
}
