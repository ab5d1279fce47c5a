import { listJobs, retryJobs } from '../operations/jobs.ts'
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
]
