import { call } from '@kinora/contract/client.ts'
import { listActivity, listCollaborations, listCollaborators } from '@kinora/contract/videos/collaborators.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listHandovers } from '@kinora/contract/videos/handovers.ts'
import { firstPage, pageQuery } from '../../../lib/list-pages.ts'

/** People who work on a channel, or on the own one. */
export function collaboratorsQuery(channel: string | undefined) {
  return queryOptions({
    queryKey: ['collaborators', channel?.toLowerCase()],
    queryFn: ({ signal }) => call(listCollaborators, { query: { channel }, signal }),
  })
}

/** Channels of others on which the signed-in user works, and invitations. */
export const collaborationsQuery = queryOptions({
  queryKey: ['collaborations'],
  queryFn: ({ signal }) => call(listCollaborations, { signal }),
  staleTime: 30_000,
})

/** Activity of a channel, or of the own one. */
export function activityQuery(channel: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['collaborators', channel?.toLowerCase(), 'activity'],
    queryFn: ({ pageParam, signal }) =>
      call(listActivity, { query: { ...pageQuery(pageParam), channel }, signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

/** Offers of videos that the signed-in user has made or received. */
export const handoversQuery = queryOptions({
  queryKey: ['handovers'],
  queryFn: ({ signal }) => call(listHandovers, { signal }),
})
