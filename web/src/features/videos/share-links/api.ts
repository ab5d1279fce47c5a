import { call } from '@kinora/contract/client.ts'
import {
  createShareLink,
  listShareLinks,
  openShareLink,
  recordSharedView,
  type SharedVideo,
} from '@kinora/contract/videos/share-links.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { loadVisit, saveVisit } from './visits.ts'

/** The links to an own video. */
export function shareLinksQuery(videoId: string) {
  return queryOptions({
    queryKey: ['share-links', videoId],
    queryFn: ({ signal }) => call(listShareLinks, { params: { id: videoId }, signal }),
  })
}

export interface NewShareLink {
  name: string
  password?: string
  expiresAt?: string
  maxViewers?: number
  allowsDownload: boolean
}

export function useCreateShareLink(videoId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewShareLink) => call(createShareLink, { params: { id: videoId }, body }),
    onSettled: () => client.invalidateQueries(shareLinksQuery(videoId)),
  })
}

/** Opens a link. This browser counts as one viewer, however often it does. */
export async function openLink(secret: string, password?: string) {
  const visit = loadVisit(secret)
  const opened = await call(openShareLink, {
    body: { secret, ...(visit && { visit }), ...(password && { password }) },
  })
  saveVisit(secret, opened.visit)
  return opened.video
}

/** Counts a view. The addresses of the video have the visit. */
export const countSharedView = ({ streamUrl }: Pick<SharedVideo, 'streamUrl'>) =>
  call(recordSharedView, { body: { visit: streamUrl.split('/')[3] ?? '' } })

/** How often an open page asks whether its link still works. */
const checkMs = 20_000

/** Looks regularly whether the link of an open video still works, and otherwise opens it again, which says why not. */
export function linkCheckQuery(client: QueryClient, secret: string, streamUrl: string) {
  return queryOptions({
    queryKey: ['shared-video-check', secret],
    queryFn: async ({ signal }) => {
      const { status } = await fetch(streamUrl, { method: 'HEAD', cache: 'no-store', signal })
      if (status === 404) await client.refetchQueries(sharedVideoQuery(secret))
      return status
    },
    refetchInterval: checkMs,
    refetchOnWindowFocus: true,
    staleTime: 0,
  })
}

/** The video of a link, unless that needs a password. */
export function sharedVideoQuery(secret: string) {
  return queryOptions({
    queryKey: ['shared-video', secret],
    queryFn: () => openLink(secret),
    staleTime: Infinity,
    retry: false,
  })
}
