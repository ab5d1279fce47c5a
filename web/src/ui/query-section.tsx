import type { ReactNode } from 'react'
import { LoadFailure } from './feedback/load-failure.tsx'
import { Skeleton } from './feedback/skeleton.tsx'

/** The part of a query that a section shows. */
export interface Loadable<Data> {
  data: Data | undefined
  isError: boolean
  refetch: () => unknown
}

/** Content that is loaded: a placeholder, the failure with a way to repeat it, an empty state, or the content. */
export function QuerySection<Data>({
  query: { data, isError, refetch },
  failure,
  skeleton = <Skeleton />,
  empty,
  children,
}: {
  query: Loadable<Data>
  /** Title of the failure. */
  failure: string
  skeleton?: ReactNode
  /** Shown in place of an empty list. */
  empty?: ReactNode
  children: (data: Data) => ReactNode
}) {
  if (data === undefined)
    return isError ? <LoadFailure title={failure} onRetry={() => void refetch()} /> : skeleton
  const isEmpty = Array.isArray(data) && data.length === 0
  return isEmpty && empty !== undefined ? empty : children(data)
}
