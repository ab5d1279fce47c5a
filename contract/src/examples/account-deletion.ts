import { getAccountDeletion, keepAccount } from '../portability/account-deletion.ts'
import { example } from './example.ts'

export const deletionExamples = [
  example(getAccountDeletion, { data: { username: 'ines', deletesAt: '2026-05-17T09:00:00.000Z' } }),
  example(keepAccount, { data: null }),
]
