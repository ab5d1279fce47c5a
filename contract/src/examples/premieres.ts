import { deleteReminder, getPremiere, putReminder } from '../live/premieres.ts'
import { example } from './example.ts'
import { ines, video, videoId } from './samples.ts'

export const premiereExamples = [
  example(getPremiere, {
    params: { videoId },
    data: {
      _id: videoId,
      title: video.title,
      thumbnail: video.thumbnail,
      videoOwner: ines,
      startsAt: '2026-06-01T18:00:00.000Z',
      now: '2026-06-01T18:06:30.000Z',
      hasChat: true,
      isReminded: false,
    },
  }),
  example(putReminder, { params: { videoId }, data: null }),
  example(deleteReminder, { params: { videoId }, data: null }),
]
