import {
  type AccountExport,
  createAccountExport,
  deleteAccountExport,
  getAccountExport,
} from '../portability/account-exports.ts'
import { example } from './example.ts'

const accountExport: AccountExport = {
  state: 'ready',
  progress: 1,
  sizeBytes: 734_003_200,
  createdAt: '2026-11-02T08:30:00.000Z',
  expiresAt: '2026-11-09T08:41:00.000Z',
}

export const accountExportExamples = [
  example(getAccountExport, { data: accountExport }),
  example(createAccountExport, {
    data: { ...accountExport, state: 'running', progress: 0, sizeBytes: null },
  }),
  example(deleteAccountExport, { data: null }),
]
