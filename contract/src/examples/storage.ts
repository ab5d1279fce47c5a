import { freeSpace, getStorageUse } from '../operations/storage.ts'
import { example } from './example.ts'
import { videoId, video } from './samples.ts'

export const storageExamples = [
  example(getStorageUse, {
    data: {
      sourceBytes: 84_000_000_000,
      captionsBytes: 3_200_000,
      databaseBytes: 410_000_000,
      measurement: {
        pictureBytes: 940_000_000,
        segmentBytes: 51_000_000_000,
        freedBytes: 0,
        measuredAt: '2026-05-03T09:00:00.000Z',
      },
      isMeasuring: false,
      disk: { freeBytes: 320_000_000_000, totalBytes: 500_000_000_000 },
      isInBucket: false,
      cacheMaxBytes: null,
      cacheMaxDiskPercent: 80,
      largest: [{ _id: videoId, title: video.title, owner: 'jonas', bytes: 1_400_000_000 }],
    },
  }),
  example(freeSpace, { data: null }),
]
