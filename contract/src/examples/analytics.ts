import {
  type Analytics,
  getChannelAnalytics,
  getVideoAnalytics,
  recordPlayback,
} from '../videos/analytics.ts'
import { example } from './example.ts'
import { videoId, video } from './samples.ts'

/** An example of every call, by its name. */
const analytics: Analytics = {
  totals: { views: 3, playbacks: 2, watchedSeconds: 41.5, averageShare: 0.75 },
  days: [{ day: '2026-05-01', views: 3, playbacks: 2, watchedSeconds: 41.5 }],
  retention: Array.from({ length: 100 }, (_, part) => (part < 50 ? 1 : 0.5)),
  sources: [
    { source: 'search', host: null, playbacks: 1 },
    { source: 'embed', host: 'example.org', playbacks: 1 },
  ],
  captions: [{ language: null, watchedSeconds: 41.5 }],
  qualities: [{ lines: 720, watchedSeconds: 41.5 }],
}

export const analyticsExamples = [
  example(recordPlayback, {
    params: { id: videoId },
    body: {
      isFirst: true,
      watchedSeconds: 12.5,
      parts: [0, 1, 2, 3, 4],
      source: 'embed',
      host: 'example.org',
      captions: 'en',
      lines: 720,
    },
    data: null,
  }),
  example(getVideoAnalytics, {
    params: { id: videoId },
    query: { period: '28' },
    data: { ...analytics, title: video.title, durationSeconds: video.duration },
  }),
  example(getChannelAnalytics, {
    query: { channel: 'ines', period: '28' },
    data: { ...analytics, videos: [{ _id: videoId, title: video.title, ...analytics.totals }] },
  }),
]
