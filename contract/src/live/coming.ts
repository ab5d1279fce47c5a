import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { SensitiveMark } from '../sensitive-mark.ts'
import { VideoId, VideoOwner } from '../videos/videos.ts'

/** A live stream or a premiere that runs, or that was announced for a time. */
export const ComingVideo = z.object({
  _id: VideoId,
  title: z.string(),
  thumbnail: z.string(),
  videoOwner: VideoOwner,
  sensitive: SensitiveMark.optional(),
  kind: z.enum(['stream', 'premiere']),
  startsAt: z.iso.datetime().describe('When it is to begin, or when it began.'),
  isNow: z.boolean().describe('Whether it runs. Otherwise `GET /premieres/{videoId}` has its announcement.'),
  isReminded: z.boolean().describe('Whether the caller is notified when it begins.'),
})
export type ComingVideo = z.infer<typeof ComingVideo>

export const listComing = endpoint({
  name: 'listComing',
  tag: 'coming',
  summary: 'Live streams and premieres that run, then upcoming ones, the earliest first: 100 at most',
  method: 'GET',
  path: '/coming',
  auth: 'optional',
  query: z.object({
    channel: z.string().max(200).optional().describe('Username of a channel: only its own.'),
    subscribed: z
      .literal('true')
      .optional()
      .describe('Only those of channels that the caller has subscribed to.'),
  }),
  result: z.array(ComingVideo),
  message: 'Upcoming',
})
