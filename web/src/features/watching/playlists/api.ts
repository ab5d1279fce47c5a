import { call } from '@kinora/contract/client.ts'
import * as calls from '@kinora/contract/watching/playlists.ts'
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { firstPage, pageQuery } from '../../../lib/list-pages.ts'
import { playlistKeys } from '../../../lib/watch-keys.ts'

/** The playlists of the caller, Watch later first. */
export const ownPlaylistsQuery = queryOptions({
  queryKey: playlistKeys.own,
  queryFn: ({ signal }) => call(calls.listOwnPlaylists, { signal }),
})

/** The caller's playlists that contain a video. */
export function playlistsOfVideoQuery(videoId: string) {
  return queryOptions({
    queryKey: playlistKeys.ofVideo(videoId),
    queryFn: ({ signal }) => call(calls.listPlaylistsOfVideo, { params: { id: videoId }, signal }),
  })
}

export function playlistQuery(playlistId: string) {
  return queryOptions({
    queryKey: playlistKeys.playlist(playlistId),
    queryFn: ({ signal }) => call(calls.getPlaylist, { params: { playlistId }, signal }),
    retry: false,
  })
}

/** The entries of a playlist, page by page, from `startCursor` on. */
export function playlistEntriesQuery(
  playlistId: string,
  { shuffle, startCursor = firstPage }: { shuffle?: string | undefined; startCursor?: string | null } = {},
) {
  return infiniteQueryOptions({
    queryKey: playlistKeys.entries(playlistId, shuffle, startCursor),
    queryFn: ({ pageParam, signal }) =>
      call(calls.listPlaylistEntries, {
        params: { playlistId },
        query: { ...pageQuery(pageParam), ...(shuffle ? { shuffle } : {}) },
        signal,
      }),
    initialPageParam: startCursor,
    getNextPageParam: (page) => page.nextCursor,
  })
}

/** The position of a video in a playlist, with its neighbours. */
export function placeQuery(playlistId: string, videoId: string, shuffle: string | undefined) {
  return queryOptions({
    queryKey: playlistKeys.place(playlistId, videoId, shuffle),
    queryFn: ({ signal }) =>
      call(calls.findInPlaylist, {
        params: { playlistId, videoId },
        query: shuffle ? { shuffle } : {},
        signal,
      }),
  })
}

/** Entries of the caller's "Watch later", by video. */
export async function loadSavedForLater(signal: AbortSignal): Promise<Map<string, string>> {
  const entries = await call(calls.listSavedForLater, { signal })
  return new Map(entries.map(({ videoId, entryId }) => [videoId, entryId]))
}

/** Adds a video to a playlist, or removes its entry if `entryId` names one. Returns the id of the added entry. */
export async function savePlaylistChoice(
  client: QueryClient,
  { playlistId, videoId, entryId }: { playlistId: string; videoId: string; entryId: string | undefined },
): Promise<string | undefined> {
  const added =
    entryId === undefined
      ? await call(calls.addToPlaylist, { params: { playlistId, videoId } })
      : await call(calls.removeFromPlaylist, { params: { playlistId, entryId } })
  await refreshPlaylists(client)
  return added?.entryId
}

/** Makes everything that shows playlists fetch again. */
export function refreshPlaylists(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: playlistKeys.all })
}
