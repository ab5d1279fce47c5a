import { z } from 'zod'
import { SensitiveMark } from '../sensitive-mark.ts'
import { endpoint } from '../endpoint.ts'
import { VideoId, VideoOwner } from '../videos/videos.ts'

export const Premiere = z.object({
  _id: VideoId,
  title: z.string(),
  thumbnail: z.string(),
  videoOwner: VideoOwner,
  sensitive: SensitiveMark.optional(),
  startsAt: z.iso.datetime().describe('When everybody sees the first frame.'),
  now: z.iso
    .datetime()
    .describe('The clock of the server: at this time players are `now - startsAt` into the video.'),
  isStream: z
    .literal(true)
    .optional()
    .describe(
      'A live stream that is announced for this time: the encoder may begin a little before, or later.',
    ),
  hasChat: z.boolean(),
  isReminded: z.boolean().describe('Whether the caller is notified when it begins.'),
})
export type Premiere = z.infer<typeof Premiere>

const params = z.object({ videoId: VideoId })

export const getPremiere = endpoint({
  name: 'getPremiere',
  tag: 'premieres',
  summary: 'The announcement of a premiere, which everybody may see, or of a live stream, and its clock',
  method: 'GET',
  path: '/premieres/:videoId',
  auth: 'optional',
  params,
  result: Premiere,
  message: 'Premiere',
})

export const putReminder = endpoint({
  name: 'putReminder',
  tag: 'premieres',
  summary: 'Notifies the caller when a premiere or an announced live stream begins',
  method: 'PUT',
  path: '/premieres/:videoId/reminder',
  auth: 'required',
  params,
  result: z.null(),
  message: 'Reminder set',
})

export const deleteReminder = endpoint({
  name: 'deleteReminder',
  tag: 'premieres',
  summary: 'Deletes a reminder',
  method: 'DELETE',
  path: '/premieres/:videoId/reminder',
  auth: 'required',
  params,
  result: z.null(),
  message: 'Reminder removed',
})
