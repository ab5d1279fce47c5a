import {
  announceStream,
  type AnnouncedStream,
  cancelAnnouncedStream,
  changeAnnouncedStream,
  listAnnouncedStreams,
  replaceAnnouncedPicture,
} from '../live/announcements.ts'
import { example } from './example.ts'
import { video, videoId } from './samples.ts'

const body = {
  title: 'Salt flats, live',
  description: 'Every Saturday',
  visibility: 'public',
  keepsRecording: true,
  startsAt: '2026-05-09T08:15:00.000Z',
} as const
const announced: AnnouncedStream = {
  videoId,
  ...body,
  thumbnail: video.thumbnail,
  hasExpired: false,
  takedownReason: null,
  reminders: 7,
}
const params = { id: videoId }

export const announcementExamples = [
  example(listAnnouncedStreams, { data: [announced] }),
  example(announceStream, { body, data: announced }),
  example(changeAnnouncedStream, { params, body, data: announced }),
  example(replaceAnnouncedPicture, { params, files: { thumbnail: 'dawn.jpg' }, data: announced }),
  example(cancelAnnouncedStream, { params, data: null }),
]
