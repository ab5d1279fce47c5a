import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { PageQuery } from '../page-query.ts'
import { NewShareLink, ShareLink, SharedVideo, shareLinksPerSubject, Visit } from '../videos/share-links.ts'
import { Video, VideoId } from '../videos/videos.ts'
import { EntryCursor, Playlist } from './playlists.ts'

const ofPlaylist = z.object({ playlistId: z.string().min(1).max(64) })
const ofLink = ofPlaylist.extend({ linkId: z.string().min(1).max(64) })

export const listPlaylistLinks = endpoint({
  name: 'listPlaylistLinks',
  tag: 'shared-playlists',
  summary: 'Links to an own playlist, newest first',
  method: 'GET',
  path: '/playlists/:playlistId/share-links',
  auth: 'required',
  params: ofPlaylist,
  result: z.array(ShareLink),
  message: 'Share links',
})

export const createPlaylistLink = endpoint({
  name: 'createPlaylistLink',
  tag: 'shared-playlists',
  summary: `Creates a link to an own playlist; at most ${shareLinksPerSubject} per playlist`,
  method: 'POST',
  path: '/playlists/:playlistId/share-links',
  auth: 'required',
  params: ofPlaylist,
  body: NewShareLink,
  status: 201,
  result: ShareLink,
  message: 'Share link created',
})

export const deletePlaylistLink = endpoint({
  name: 'deletePlaylistLink',
  tag: 'shared-playlists',
  summary: 'Revokes a link to an own playlist: its viewers get no further byte',
  method: 'DELETE',
  path: '/playlists/:playlistId/share-links/:linkId',
  auth: 'required',
  params: ofLink,
  result: z.null(),
  message: 'Share link revoked',
})

const byVisit = z.object({ visit: Visit })

export const getSharedPlaylist = endpoint({
  name: 'getSharedPlaylist',
  tag: 'shared-playlists',
  summary: 'The playlist of a link that a browser has opened',
  method: 'POST',
  path: '/share-links/playlist',
  auth: 'none',
  body: byVisit,
  result: Playlist.pick({ title: true, description: true, owner: true }).extend({
    videosCount: z.number().int().describe('Videos that the link opens.'),
    duration: z.number().describe('Their total length in seconds.'),
  }),
  message: 'Shared playlist',
})

/** A video in the list of a shared playlist. */
export const SharedEntry = z.object({
  _id: z.string(),
  video: Video.pick({
    _id: true,
    title: true,
    duration: true,
    thumbnail: true,
    videoOwner: true,
    sensitive: true,
  }),
})
export type SharedEntry = z.infer<typeof SharedEntry>

export const listSharedEntries = endpoint({
  name: 'listSharedEntries',
  tag: 'shared-playlists',
  summary:
    'The videos that a link to a playlist opens: those of the owner of the playlist, and those for everybody',
  method: 'POST',
  path: '/share-links/playlist/entries',
  auth: 'none',
  query: PageQuery.extend({ cursor: EntryCursor }),
  body: byVisit,
  result: z.array(SharedEntry),
  paged: true,
  message: 'Entries',
})

export const getSharedVideo = endpoint({
  name: 'getSharedVideo',
  tag: 'shared-playlists',
  summary: 'A video of a shared playlist, with addresses that work until the link ends',
  method: 'POST',
  path: '/share-links/playlist/video',
  auth: 'none',
  body: byVisit.extend({ videoId: VideoId }),
  result: SharedVideo,
  message: 'Shared video',
})
