import { call } from '@kinora/contract/client.ts'
import type { BodyOf, ResultOf } from '@kinora/contract/endpoint.ts'
import {
  createShareLink,
  deleteShareLink,
  getLockedVideo,
  listLockedVideos,
  listShareLinks,
  openLockedVideo,
  openShareLink,
  recordSharedView,
  type SharedVideo,
} from '@kinora/contract/videos/share-links.ts'
import {
  createPlaylistLink,
  deletePlaylistLink,
  getSharedPlaylist,
  getSharedVideo,
  listPlaylistLinks,
  listSharedEntries,
} from '@kinora/contract/watching/shared-playlists.ts'
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { firstPage, pageQuery } from '../../../lib/list-pages.ts'
import { loadVisit, saveVisit } from './visits.ts'

/** The video or playlist of links. */
export type LinkSubject = { videoId: string } | { playlistId: string }

/** The links to an own video or playlist. */
export function shareLinksQuery(to: LinkSubject) {
  return queryOptions({
    queryKey: ['share-links', to],
    queryFn: ({ signal }) =>
      'videoId' in to
        ? call(listShareLinks, { params: { id: to.videoId }, signal })
        : call(listPlaylistLinks, { params: to, signal }),
  })
}

export function useCreateShareLink(to: LinkSubject) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<typeof createShareLink>) =>
      'videoId' in to
        ? call(createShareLink, { params: { id: to.videoId }, body })
        : call(createPlaylistLink, { params: to, body }),
    onSettled: () => client.invalidateQueries(shareLinksQuery(to)),
  })
}

export const revokeLink = (to: LinkSubject, linkId: string) =>
  'videoId' in to
    ? call(deleteShareLink, { params: { id: to.videoId, linkId } })
    : call(deletePlaylistLink, { params: { ...to, linkId } })

export type OpenedLink = ResultOf<typeof openShareLink>

const lockedPrefix = 'locked/'

/** The key of a locked video in place of the secret of a link, which has no slash. */
export const lockedKey = (videoId: string) => lockedPrefix + videoId

/** Opens a link. This browser counts as one viewer, however often it does. */
export async function openLink(secret: string, password?: string): Promise<OpenedLink> {
  const visit = loadVisit(secret)
  const body = { ...(visit && { visit }), ...(password && { password }) }
  const lockedId = secret.startsWith(lockedPrefix) && secret.slice(lockedPrefix.length)
  const opened = lockedId
    ? await call(openLockedVideo, { params: { id: lockedId }, body })
    : await call(openShareLink, { body: { secret, ...body } })
  saveVisit(secret, opened.visit)
  return opened
}

/** Counts a view. The addresses of the video have the visit. */
export const countSharedView = ({ _id: videoId, streamUrl }: Pick<SharedVideo, '_id' | 'streamUrl'>) =>
  call(recordSharedView, { body: { visit: streamUrl.split('/')[3] ?? '', videoId } })

/** How often an open page asks whether its link still works. */
const checkMs = 20_000

/** Looks regularly whether the link of an open video still works, and otherwise opens it again, which says why not. */
export function linkCheckQuery(client: QueryClient, secret: string, streamUrl: string) {
  return queryOptions({
    queryKey: ['shared-video-check', secret, streamUrl],
    queryFn: async ({ signal }) => {
      const { status } = await fetch(streamUrl, { method: 'HEAD', cache: 'no-store', signal })
      if (status === 404)
        for (const queryKey of [['shared-video', secret], ['shared-playlist-video'], ['shared-entries']])
          await client.refetchQueries({ queryKey, type: 'active' })
      return status
    },
    refetchInterval: checkMs,
    refetchOnWindowFocus: true,
    staleTime: 0,
  })
}

/** The video or playlist of a link, unless that needs a password. */
export function sharedVideoQuery(secret: string) {
  return queryOptions({
    queryKey: ['shared-video', secret],
    queryFn: () => openLink(secret),
    staleTime: Infinity,
    retry: false,
  })
}

/** How often the list of an open playlist is loaded again: its link may end, and its videos change. */
const listMs = 60_000

export function sharedPlaylistQuery(visit: string) {
  return queryOptions({
    queryKey: ['shared-playlist', visit],
    queryFn: ({ signal }) => call(getSharedPlaylist, { body: { visit }, signal }),
    refetchInterval: listMs,
    retry: false,
  })
}

export function sharedEntriesQuery(visit: string) {
  return infiniteQueryOptions({
    queryKey: ['shared-entries', visit],
    queryFn: ({ pageParam, signal }) =>
      call(listSharedEntries, { query: pageQuery(pageParam), body: { visit }, signal }),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
  })
}

export function videoOfPlaylistQuery(visit: string, videoId: string) {
  return queryOptions({
    queryKey: ['shared-playlist-video', visit, videoId],
    queryFn: ({ signal }) => call(getSharedVideo, { body: { visit, videoId }, signal }),
    staleTime: Infinity,
    retry: false,
  })
}

/** Videos that open with a password, of a channel or of all. */
export function lockedVideosQuery(username?: string) {
  return infiniteQueryOptions({
    queryKey: ['locked-videos', username ?? null],
    queryFn: ({ pageParam, signal }) =>
      call(listLockedVideos, { query: { ...pageQuery(pageParam), ...(username && { username }) }, signal }),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.nextCursor,
  })
}

export function lockedVideoQuery(videoId: string) {
  return queryOptions({
    queryKey: ['locked-video', videoId],
    queryFn: ({ signal }) => call(getLockedVideo, { params: { id: videoId }, signal }),
    retry: false,
  })
}
