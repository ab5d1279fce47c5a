import { getHealth } from '../operations/health.ts'
import { example } from './example.ts'

export const healthExamples = [
  example(getHealth, {
    data: {
      checkedAt: '2026-05-03T09:00:00.000Z',
      findings: [
        { subject: 'disk', code: 'disk.free', state: 'good', message: '320.0 GB of 500.0 GB are free' },
        {
          subject: 'backup',
          code: 'backup.old',
          state: 'note',
          message: 'The newest backup in /srv/kinora/backups is 9 days old.',
        },
      ],
      disk: { freeBytes: 320_000_000_000, totalBytes: 500_000_000_000 },
      cacheBytes: 51_000_000_000,
      queue: { waiting: 2, running: 2, failed: 1, oldestWaitingSeconds: 4 },
      workers: [
        { startedAt: '2026-05-01T09:00:00.000Z', seenAt: '2026-05-03T08:59:50.000Z', cpuSeconds: 18_204 },
      ],
      lastBackupAt: '2026-04-24T03:00:00.000Z',
    },
  }),
]
