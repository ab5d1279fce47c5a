import { wrong } from '../field-errors.ts'
import { watchingErrors } from './errors.ts'
import { errors } from '../errors.ts'
import { z } from 'zod'
import { watchLaterId } from './watch-later.ts'
import { endpoint } from '../endpoint.ts'
import { PageQuery } from '../page-query.ts'
import { clearableText, optionalLine, requiredLine } from '../text.ts'
import { Video, VideoId, VideoOwner } from '../videos/videos.ts'

export const playlistMaxEntries = 5000
export const playlistsPerAccount = 500

/** `private` playlists are visible to their owner, `unlisted` ones to everybody with the URL. */
export const PlaylistVisibility = z.enum(['private', 'unlisted', 'public'])
export type PlaylistVisibility = z.infer<typeof PlaylistVisibility>

export const Playlist = z.object({
  _id: z.string(),
  title: z.string(),
  description: z.string(),
  visibility: PlaylistVisibility,
  isWatchLater: z.boolean(),
  videosCount: z.number().int().describe('Entries, including those that the caller may not see.'),
  thumbnail: z.string().nullable().describe('URL of the thumbnail of the first video, 640 pixels wide.'),
  owner: VideoOwner,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Playlist = z.infer<typeof Playlist>

export const DetailedPlaylist = Playlist.extend({
  duration: z.number().describe('Total length in seconds of the videos that the caller may see.'),
  unavailableCount: z.number().int().describe('Entries whose video the caller may not see.'),
})
export type DetailedPlaylist = z.infer<typeof DetailedPlaylist>

export const PlaylistEntry = z.object({
  _id: z.string(),
  addedAt: z.iso.datetime(),
  video: Video.nullable().describe('Null when the video was deleted or the caller may not see it.'),
})
export type PlaylistEntry = z.infer<typeof PlaylistEntry>

/** The sort key of an entry: letters and digits, compared byte by byte. */
export const EntryCursor = z
  .string()
  .regex(/^[0-9A-Za-z]{1,200}$/, wrong(errors.invalidCursor))
  .optional()

const Shuffle = z
  .string()
  .regex(/^[0-9A-Za-z]{1,32}$/, wrong(watchingErrors.seedFormat))
  .optional()
  .describe('Seed of a random order: the same seed gives the same order.')

const PlaylistId = z.string().min(1).max(64).describe(`An id, or \`${watchLaterId}\`.`)
const params = z.object({ playlistId: PlaylistId })
const entryParams = params.extend({ entryId: z.string().min(1).max(64) })

export const listOwnPlaylists = endpoint({
  name: 'listOwnPlaylists',
  tag: 'playlists',
  summary: 'The playlists of the caller: Watch later first, then by time of change, newest first',
  method: 'GET',
  path: '/playlists',
  auth: 'required',
  result: z.array(Playlist),
  message: 'Playlists',
})

export const createPlaylist = endpoint({
  name: 'createPlaylist',
  tag: 'playlists',
  summary: 'Creates a playlist',
  method: 'POST',
  path: '/playlists',
  auth: 'required',
  body: z.object({
    title: requiredLine('Title', 'titleMaxCharacters'),
    description: clearableText('Description', 'descriptionMaxCharacters'),
    visibility: PlaylistVisibility.default('private'),
  }),
  result: Playlist,
  status: 201,
  message: 'Playlist created',
})

export const getPlaylist = endpoint({
  name: 'getPlaylist',
  tag: 'playlists',
  summary: 'One playlist, with its total length',
  method: 'GET',
  path: '/playlists/:playlistId',
  auth: 'optional',
  params,
  result: DetailedPlaylist,
  message: 'Playlist',
})

export const updatePlaylist = endpoint({
  name: 'updatePlaylist',
  tag: 'playlists',
  summary: 'Changes title, description or visibility of an own playlist; a field left out stays as it is',
  method: 'PATCH',
  path: '/playlists/:playlistId',
  auth: 'required',
  params,
  body: z.object({
    title: optionalLine('Title', 'titleMaxCharacters'),
    description: clearableText('Description', 'descriptionMaxCharacters'),
    visibility: PlaylistVisibility.optional(),
  }),
  result: Playlist,
  message: 'Playlist updated',
})

export const deletePlaylist = endpoint({
  name: 'deletePlaylist',
  tag: 'playlists',
  summary: 'Deletes an own playlist; its videos stay',
  method: 'DELETE',
  path: '/playlists/:playlistId',
  auth: 'required',
  params,
  result: z.null(),
  message: 'Playlist deleted',
})

export const listPlaylistEntries = endpoint({
  name: 'listPlaylistEntries',
  tag: 'playlists',
  summary: 'The entries of a playlist in its order, or in a random one',
  method: 'GET',
  path: '/playlists/:playlistId/entries',
  auth: 'optional',
  params,
  query: PageQuery.extend({
    cursor: EntryCursor.describe('`nextCursor` of the page before, or `startCursor` of `findInPlaylist`.'),
    shuffle: Shuffle,
  }),
  result: z.array(PlaylistEntry),
  paged: true,
  message: 'Entries',
})

export const findInPlaylist = endpoint({
  name: 'findInPlaylist',
  tag: 'playlists',
  summary: 'The position of a video in a playlist, with the visible videos before and after it',
  method: 'GET',
  path: '/playlists/:playlistId/around/:videoId',
  auth: 'optional',
  params: params.extend({ videoId: VideoId }),
  query: z.object({ shuffle: Shuffle }),
  result: z.object({
    index: z.number().int().describe('Number of entries before the video.'),
    previous: Video.nullable(),
    next: Video.nullable(),
    startCursor: z
      .string()
      .nullable()
      .describe('Cursor of a page that begins a few entries before the video.'),
  }),
  message: 'Place in the playlist',
})

export const addToPlaylist = endpoint({
  name: 'addToPlaylist',
  tag: 'playlists',
  summary: 'Adds a video at the end of an own playlist; a video that is in it already keeps its position',
  method: 'PUT',
  path: '/playlists/:playlistId/videos/:videoId',
  auth: 'required',
  params: params.extend({ videoId: VideoId }),
  result: z.object({ entryId: z.string() }),
  message: 'Video added',
})

export const removeFromPlaylist = endpoint({
  name: 'removeFromPlaylist',
  tag: 'playlists',
  summary: 'Removes an entry of an own playlist',
  method: 'DELETE',
  path: '/playlists/:playlistId/entries/:entryId',
  auth: 'required',
  params: entryParams,
  result: z.null(),
  message: 'Entry removed',
})

export const moveInPlaylist = endpoint({
  name: 'moveInPlaylist',
  tag: 'playlists',
  summary:
    'Moves an entry of an own playlist: behind the entry `afterEntryId`, to the top if that is null, to the end if it is left out',
  method: 'PATCH',
  path: '/playlists/:playlistId/entries/:entryId',
  auth: 'required',
  params: entryParams,
  body: z.object({ afterEntryId: z.string().min(1).max(64).nullable().optional() }),
  result: z.null(),
  message: 'Entry moved',
})

/** Number of entries of "Watch later" that are listed for cards, last added first. */
export const listedForLater = 1000

export const listSavedForLater = endpoint({
  name: 'listSavedForLater',
  tag: 'playlists',
  summary: `The ${listedForLater} videos that the caller last added to Watch later, with their entries`,
  method: 'GET',
  path: `/playlists/${watchLaterId}/videos`,
  auth: 'required',
  result: z.array(z.object({ videoId: VideoId, entryId: z.string() })),
  message: 'Watch later',
})

export const listPlaylistsOfVideo = endpoint({
  name: 'listPlaylistsOfVideo',
  tag: 'playlists',
  summary: 'The playlists of the caller that contain a video, each with the id of its entry',
  method: 'GET',
  path: '/video/:id/playlists',
  auth: 'required',
  params: z.object({ id: VideoId }),
  result: z.array(z.object({ playlistId: z.string(), entryId: z.string() })),
  message: 'Playlists with the video',
})
