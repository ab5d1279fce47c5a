import {
  acceptHandover,
  createHandover,
  deleteHandover,
  type Handover,
  listHandovers,
} from '../videos/handovers.ts'
import { example } from './example.ts'
import { ines, jonas, video, videoId } from './samples.ts'

const handover: Handover = {
  _id: '0mf5v2k7t1x9ac',
  giver: ines,
  receiver: jonas,
  video: { _id: videoId, title: video.title },
  videos: 1,
  sizeBytes: 214_000_000,
  titles: [video.title],
  createdAt: '2026-05-04T08:00:00.000Z',
}

const params = { handoverId: handover._id }

export const handoverExamples = [
  example(listHandovers, { data: [handover] }),
  example(createHandover, { body: { username: jonas.username, videoId }, data: [handover] }),
  example(acceptHandover, { params, data: [] }),
  example(deleteHandover, { params, data: [] }),
]
