import { useQuery } from '@tanstack/react-query'
import { allCommentsQuery, allVideosQuery, type ListView, peopleQuery, reportsQuery } from '../api.ts'
import { arrivalOf, type Waiting } from './queue.tsx'

const view = (show: string): ListView => ({ text: '', show, page: 0 })

/** Everything that waits for moderators, what arrived first in front. Lists of more than a page follow as they empty. */
export function useWaiting(): {
  entries: Waiting[]
  /** Of all lists. */
  total: number
  isPending: boolean
  isError: boolean
  refetch: () => void
} {
  // not `useQueries`, which would be part of the script of every page
  const open = useQuery(reportsQuery(view('')))
  const answered = useQuery(reportsQuery(view('answered')))
  const comments = useQuery(allCommentsQuery(view('held')))
  const people = useQuery(peopleQuery(view('waiting')))
  const videos = useQuery(allVideosQuery(view('waiting')))
  const results = [open, answered, comments, people, videos]
  const reports = [...(open.data?.entries ?? []), ...(answered.data?.entries ?? [])]
  const entries: Waiting[] = [
    ...reports.map((report) => ({ kind: 'report' as const, report })),
    ...(comments.data?.entries ?? []).map((comment) => ({ kind: 'comment' as const, comment })),
    ...(people.data?.entries ?? []).map((person) => ({ kind: 'account' as const, person })),
    ...(videos.data?.entries ?? []).map((video) => ({ kind: 'video' as const, video })),
  ]
  return {
    entries: entries.toSorted((a, b) => arrivalOf(a).localeCompare(arrivalOf(b))),
    total: results.reduce((sum, { data }) => sum + (data?.total ?? 0), 0),
    isPending: results.some(({ isPending }) => isPending),
    isError: results.some(({ isError, data }) => isError && !data),
    refetch: () => {
      for (const { refetch } of results) void refetch()
    },
  }
}
