import { call } from '@kinora/contract/client.ts'
import { createShareLink, listShareLinks, openShareLink } from '@kinora/contract/videos/share-links.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
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

/** The video of a link, unless that needs a password. */
export function sharedVideoQuery(secret: string) {
  return queryOptions({
    queryKey: ['shared-video', secret],
    queryFn: () => openLink(secret),
    staleTime: Infinity,
    retry: false,
  })
}
