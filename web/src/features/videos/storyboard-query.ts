import { queryOptions } from '@tanstack/react-query'
import { parseStoryboard } from '../../lib/storyboard.ts'

/** The frames of a storyboard; they never change under one URL. */
export function storyboardQuery(storyboardUrl: string) {
  return queryOptions({
    queryKey: ['storyboard', storyboardUrl],
    queryFn: async ({ signal }) => {
      const url = new URL(storyboardUrl, location.href).href
      const response = await fetch(url, { signal })
      if (!response.ok) throw new Error(`The storyboard answered ${response.status}`)
      return parseStoryboard(await response.text(), url)
    },
    staleTime: Infinity,
  })
}
