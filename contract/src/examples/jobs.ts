import {
  dismissTranscriptions,
  getTranscriptionWork,
  listJobs,
  retryJobs,
  retryTranscriptions,
} from '../operations/jobs.ts'
import { example } from './example.ts'

export const jobExamples = [
  example(listJobs, {
    data: {
      queues: [
        { name: 'mail.deliver', waiting: 2, later: 1, running: 2, failed: 1, oldestWaitingSeconds: 4 },
      ],
      failed: [
        {
          _id: '018f3a52-7c1e-7000-8000-3b1f0c9d2e4a',
          name: 'mail.deliver',
          reason: 'connect ECONNREFUSED 127.0.0.1:25',
          failedAt: '2026-05-03T09:00:00.000Z',
          videoId: null,
        },
      ],
    },
  }),
  example(retryJobs, {
    body: { ids: ['018f3a52-7c1e-7000-8000-3b1f0c9d2e4a'] },
    data: { ids: ['018f3a52-7c1e-7000-8000-3b1f0c9d2e4a'] },
  }),
  example(getTranscriptionWork, {
    data: {
      isAvailable: true,
      waiting: 12,
      secondsWaiting: 16_200,
      secondsLeft: 5400,
      failed: [
        {
          _id: 'hT5mQ2xWc9RkB7fL',
          title: 'Lighthouse at dusk',
          owner: 'ines',
          reason: 'The speech of this video cannot be recognized',
          cause: { reason: 'speech_failed', params: {} },
          failedAt: '2026-05-03T09:00:00.000Z',
        },
      ],
    },
  }),
  example(retryTranscriptions, {
    body: { ids: ['hT5mQ2xWc9RkB7fL'] },
    data: { ids: ['hT5mQ2xWc9RkB7fL'] },
  }),
  example(dismissTranscriptions, {
    body: { ids: ['hT5mQ2xWc9RkB7fL'] },
    data: { ids: ['hT5mQ2xWc9RkB7fL'] },
  }),
]
