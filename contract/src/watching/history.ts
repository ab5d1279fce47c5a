import { z } from 'zod'
import { FilterText } from '../text.ts'
import { endpoint } from '../endpoint.ts'
import { PageQuery } from '../page-query.ts'
import { Video, VideoId } from '../videos/videos.ts'

const params = z.object({ videoId: VideoId })

/** Playback position in seconds; 0 if never watched or watched to the end. */
export const Position = z.object({ positionSeconds: z.number().min(0).max(1e7) })

/** A position in a request, as a number or as a form's text. */
const Seconds = z
  .union([z.number(), z.string().regex(/^\d+(\.\d+)?$/)])
  .pipe(z.coerce.number<number | string>().min(0).max(1e7))

export const updateHistory = endpoint({
  name: 'updateHistory',
  tag: 'history',
  summary: 'Moves a video to the top of the watch history',
  method: 'PATCH',
  path: '/users/updatehistory/:videoId',
  auth: 'required',
  params,
  result: z.null(),
  message: 'History updated',
})

/** Default page size, as specified; more can be requested. */
export const defaultHistoryLimit = 10

export const getWatchHistory = endpoint({
  name: 'getWatchHistory',
  tag: 'history',
  summary: 'The videos last watched, last watched first',
  method: 'GET',
  path: '/users/watchhistory',
  auth: 'required',
  query: PageQuery.extend({
    limit: PageQuery.shape.limit.describe(`Videos of a page; ${defaultHistoryLimit} by default.`),
  }),
  result: z.object({ watchHistory: z.array(Video), nextCursor: z.string().nullable() }),
  message: 'Watch history',
})

export const getPosition = endpoint({
  name: 'getPosition',
  tag: 'history',
  summary: 'Where the caller stopped watching a video',
  method: 'GET',
  path: '/users/position/:videoId',
  auth: 'required',
  params,
  result: Position,
  message: 'Position',
})

export const putPosition = endpoint({
  name: 'putPosition',
  tag: 'history',
  summary: 'Remembers where the caller stopped watching a video',
  method: 'PUT',
  path: '/users/position/:videoId',
  auth: 'required',
  params,
  body: z.object({
    positionSeconds: Seconds,
    durationSeconds: Seconds.optional().describe(
      'Length of the video as the player has loaded it. The position in an earlier cut is not saved.',
    ),
    isFinished: z
      .boolean()
      .optional()
      .describe('With `true`, the video counts as watched to its end, and starts at 0 the next time.'),
  }),
  result: z.null(),
  message: 'Position saved',
})

export const HistoryEntry = z.object({
  watchedAt: z.iso.datetime(),
  positionSeconds: z.number().describe('Where the caller stopped; 0 at the start and at the end.'),
  isFinished: z.boolean().describe('Whether the caller has watched it to its end before.'),
  video: Video,
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

export const listHistory = endpoint({
  name: 'listHistory',
  tag: 'history',
  summary: 'The complete watch history with positions, latest first',
  method: 'GET',
  path: '/users/history',
  auth: 'required',
  query: PageQuery.extend({
    text: FilterText.describe('Words in the title or the name of the channel.'),
    unfinished: z.enum(['true', 'false']).optional().describe('With `true`, only videos stopped half way.'),
  }),
  result: z.array(HistoryEntry),
  paged: true,
  message: 'History',
})

export const clearHistory = endpoint({
  name: 'clearHistory',
  tag: 'history',
  summary: 'Deletes the watch history and every position of the caller',
  method: 'DELETE',
  path: '/users/history',
  auth: 'required',
  result: z.null(),
  message: 'History cleared',
})

export const removeFromHistory = endpoint({
  name: 'removeFromHistory',
  tag: 'history',
  summary: 'Removes a video from the watch history, with its position',
  method: 'DELETE',
  path: '/users/history/:videoId',
  auth: 'required',
  params,
  result: z.null(),
  message: 'Removed from history',
})

const HistoryState = z.object({ isPaused: z.boolean() })

export const getHistoryState = endpoint({
  name: 'getHistoryState',
  tag: 'history',
  summary: 'Whether the watch history of the caller is paused',
  method: 'GET',
  path: '/users/history/state',
  auth: 'required',
  result: HistoryState,
  message: 'History state',
})

export const putHistoryState = endpoint({
  name: 'putHistoryState',
  tag: 'history',
  summary: 'Pauses the watch history, or resumes it; a paused one records neither videos nor positions',
  method: 'PUT',
  path: '/users/history/state',
  auth: 'required',
  body: HistoryState,
  result: HistoryState,
  message: 'History state saved',
})

/** Number of positions that are listed, latest first. */
export const listedPositions = 500

export const listPositions = endpoint({
  name: 'listPositions',
  tag: 'history',
  summary: `Where the caller stopped in the ${listedPositions} videos last watched and not finished`,
  method: 'GET',
  path: '/users/positions',
  auth: 'required',
  query: z.object({
    finished: z
      .enum(['true', 'false'])
      .optional()
      .describe('With `true`, also videos watched to their end, with position 0.'),
  }),
  result: z.array(Position.extend({ videoId: VideoId, isFinished: z.boolean() })),
  message: 'Positions',
})
