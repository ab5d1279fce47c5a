import { z } from 'zod'
import { endpoint, PageQuery } from './endpoint.ts'
import { Video, VideoId } from './videos.ts'

const params = z.object({ videoId: VideoId })

/** Where one stopped, in seconds from the start; 0 when never watched or watched to the end. */
export const Position = z.object({ positionSeconds: z.number().min(0).max(1e7) })

/** The same on its way in, as a number or as a form's text. */
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

/** The screen shows so many; more come on request. */
export const defaultHistoryLimit = 10

export const getWatchHistory = endpoint({
  name: 'getWatchHistory',
  tag: 'history',
  summary: 'The videos last watched, last watched first',
  method: 'GET',
  path: '/users/watchhistory',
  auth: 'required',
  query: PageQuery.extend({
    limit: PageQuery.shape.limit.describe(`Videos of a page; ${defaultHistoryLimit} when not said.`),
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
  body: z.object({ positionSeconds: Seconds }),
  result: z.null(),
  message: 'Position saved',
})
