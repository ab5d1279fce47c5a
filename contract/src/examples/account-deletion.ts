import {
  deleteAccount,
  getAccountDeletion,
  getStoredData,
  keepAccount,
} from '../portability/account-deletion.ts'
import { example } from './example.ts'

export const accountDeletionExamples = [
  example(getAccountDeletion, { data: { username: 'ines', deletesAt: '2026-05-17T09:00:00.000Z' } }),
  example(keepAccount, { data: null }),
  example(getStoredData, {
    data: {
      videos: 3,
      comments: 12,
      likes: 40,
      subscriptions: 7,
      playlists: 1,
      history: 118,
      dismissed: 2,
      notifications: 9,
      reports: 0,
      sessions: 2,
      devices: 2,
      addresses: 1,
      passkeys: 1,
      apiTokens: 1,
    },
  }),
  example(deleteAccount, { body: { password: 'correct horse battery' }, data: null }),
]
