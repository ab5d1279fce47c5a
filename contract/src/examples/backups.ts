import { createBackup, listBackups, verifyBackup } from '../operations/backups.ts'
import { example } from './example.ts'

export const backupExamples = [
  example(listBackups, {
    data: {
      directory: '/srv/kinora/backups',
      isRunning: false,
      run: {
        kind: 'create',
        progress: '2026-05-03T09-00-00: 48120 rows and 2140 files (85 GB)',
        problems: [],
        startedAt: '2026-05-03T09:00:00.000Z',
        endedAt: '2026-05-03T09:12:00.000Z',
      },
      backups: [
        {
          name: '2026-05-03T09-00-00',
          isUsable: true,
          rows: 48_120,
          files: 2140,
          bytes: 85_000_000_000,
          missing: 0,
        },
      ],
    },
  }),
  example(createBackup, { data: null }),
  example(verifyBackup, { params: { backup: '2026-05-03T09-00-00' }, data: null }),
]
