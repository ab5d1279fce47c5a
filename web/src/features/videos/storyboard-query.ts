import { queryOptions } from '@tanstack/react-query'
import { fetchStoryboard } from '../../lib/storyboard.ts'

/** The frames of a storyboard; they never change under one URL. */
export function storyboardQuery(storyboardUrl: string) {
  return queryOptions({
    queryKey: ['storyboard', storyboardUrl],
    queryFn: ({ signal }) => fetchStoryboard(storyboardUrl, signal),
    staleTime: Infinity,
  })
}
