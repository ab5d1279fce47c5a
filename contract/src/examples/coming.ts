import { listComing } from '../live/coming.ts'
import { example } from './example.ts'
import { ines, video, videoId } from './samples.ts'

export const comingExamples = [
  example(listComing, {
    query: { channel: ines.username, subscribed: 'true' },
    data: [
      {
        _id: videoId,
        title: 'Salt flats, live',
        thumbnail: video.thumbnail,
        videoOwner: ines,
        kind: 'stream',
        startsAt: '2026-05-09T08:15:00.000Z',
        isNow: false,
        isReminded: true,
      },
    ],
  }),
]
