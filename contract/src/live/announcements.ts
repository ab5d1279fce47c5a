import { z } from 'zod'
import { announcedVisibilities } from '../constants.ts'
import { endpoint } from '../endpoint.ts'
import { wrong } from '../field-errors.ts'
import { videoErrors } from '../videos/errors.ts'
import { VideoId } from '../videos/videos.ts'
import { LiveTemplate } from './live-streams.ts'

/** Details of an announced live stream, and when it is to begin. */
export const StreamAnnouncement = LiveTemplate.extend({
  visibility: z.enum(announcedVisibilities).describe('Of the announcement, and of the stream.'),
  startsAt: z.iso.datetime({ ...wrong(videoErrors.publishAtFormat), offset: true }),
})
export type StreamAnnouncement = z.infer<typeof StreamAnnouncement>

/** An announced live stream as its channel sees it. */
export const AnnouncedStream = StreamAnnouncement.extend({
  videoId: VideoId.describe('Also of the stream: its address stays the same.'),
  description: z.string(),
  startsAt: z.iso.datetime(),
  thumbnail: z.string(),
  hasExpired: z
    .boolean()
    .describe('Whether nothing arrived for hours: nobody else sees it until it gets another time.'),
  takedownReason: z
    .string()
    .nullable()
    .describe('Why moderators took it down: it can only be cancelled. Otherwise null.'),
  reminders: z.number().int().describe('People who asked to be notified when it begins.'),
})
export type AnnouncedStream = z.infer<typeof AnnouncedStream>

const auth = 'required'
const tag = 'announcements'
const params = z.object({ id: VideoId })

export const listAnnouncedStreams = endpoint({
  name: 'listAnnouncedStreams',
  tag,
  summary: 'Live streams that the own channel has announced and not begun, the earliest first',
  method: 'GET',
  path: '/studio/live/announced',
  auth,
  result: z.array(AnnouncedStream),
  message: 'Announced streams',
})

export const announceStream = endpoint({
  name: 'announceStream',
  tag,
  summary: 'Announces a live stream of the own channel, at the address that the stream will have',
  method: 'POST',
  path: '/studio/live/announced',
  auth,
  body: StreamAnnouncement,
  result: AnnouncedStream,
  status: 201,
  message: 'Stream announced',
})

export const changeAnnouncedStream = endpoint({
  name: 'changeAnnouncedStream',
  tag,
  summary: 'Changes an announced stream of the own channel, also its time',
  method: 'PUT',
  path: '/studio/live/announced/:id',
  auth,
  params,
  body: StreamAnnouncement,
  result: AnnouncedStream,
  message: 'Announcement saved',
})

export const replaceAnnouncedPicture = endpoint({
  name: 'replaceAnnouncedPicture',
  tag,
  summary: 'Replaces the picture of an announced stream, which the stream keeps as its thumbnail',
  method: 'PUT',
  path: '/studio/live/announced/:id/thumbnail',
  auth,
  params,
  files: { thumbnail: { required: true, description: 'JPEG or PNG' } },
  result: AnnouncedStream,
  message: 'Picture saved',
})

export const cancelAnnouncedStream = endpoint({
  name: 'cancelAnnouncedStream',
  tag,
  summary: 'Cancels an announced stream of the own channel, with its chat and its reminders',
  method: 'DELETE',
  path: '/studio/live/announced/:id',
  auth,
  params,
  result: z.null(),
  message: 'Announcement cancelled',
})
