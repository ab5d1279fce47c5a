import {
  createAccountImport,
  deleteAccountImport,
  getAccountImport,
  type AccountImport,
} from '../portability/account-imports.ts'
import { example } from './example.ts'
import { videoId } from './samples.ts'

const accountImport: AccountImport = {
  state: 'done',
  progress: 1,
  format: 'kinora',
  failure: null,
  cause: null,
  createdAt: '2026-11-02T09:10:00.000Z',
  report: {
    counts: [
      { kind: 'videos', imported: 12, present: 0, skipped: 0 },
      { kind: 'subscriptions', imported: 3, present: 1, skipped: 1 },
    ],
    problems: [
      {
        kind: 'subscriptions',
        name: 'jonas',
        reason: 'The channel is not on this site',
        cause: { reason: 'channel_not_here', params: {} },
        address: null,
      },
    ],
    moreProblems: 0,
  },
}

export const accountImportExamples = [
  example(getAccountImport, { data: accountImport }),
  example(createAccountImport, {
    body: { uploadId: videoId },
    data: {
      ...accountImport,
      state: 'running',
      progress: 0,
      format: null,
      report: { counts: [], problems: [], moreProblems: 0 },
    },
  }),
  example(deleteAccountImport, { data: null }),
]
