import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Password } from '../text.ts'

/** Sessions of an account that is being deleted open nothing else. Both calls read the session themselves. */
const auth = 'none'

export const AccountDeletion = z.object({
  username: z.string(),
  deletesAt: z.iso.datetime().describe('When the account is removed for good.'),
})
export type AccountDeletion = z.infer<typeof AccountDeletion>

export const getAccountDeletion = endpoint({
  name: 'getAccountDeletion',
  tag: 'account-deletion',
  summary: 'When the account of the session is removed; 404 for others',
  method: 'GET',
  path: '/users/deletion',
  auth,
  result: AccountDeletion,
  message: 'Deletion',
})

export const keepAccount = endpoint({
  name: 'keepAccount',
  tag: 'account-deletion',
  summary: 'Keeps the account of the session, which its holder deleted, and shows it again',
  method: 'POST',
  path: '/users/deletion/keep',
  auth,
  result: z.null(),
  message: 'Account kept',
})

export const deleteAccount = endpoint({
  name: 'deleteAccount',
  tag: 'account-deletion',
  summary: 'Deletes the account with its videos, comments and likes',
  method: 'POST',
  path: '/users/deleteaccount',
  auth: 'required',
  body: z.object({ password: Password.describe('The current password, to be sure.') }),
  result: z.null(),
  message: 'Account deleted',
})

const Count = z.number().int()

export const getStoredData = endpoint({
  name: 'getStoredData',
  tag: 'account-deletion',
  summary: 'How much of each kind is stored about the caller',
  method: 'GET',
  path: '/users/stored',
  auth: 'required',
  result: z.object({
    videos: Count,
    comments: Count,
    likes: Count,
    subscriptions: Count,
    playlists: Count,
    history: Count.describe('Videos in the history, and positions.'),
    dismissed: Count.describe('Videos and channels that are not recommended.'),
    notifications: Count,
    reports: Count.describe('Reports that the caller has sent.'),
    sessions: Count,
    devices: Count,
    addresses: Count.describe('Addresses of sign-ins, as hashes.'),
    passkeys: Count,
    apiTokens: Count,
  }),
  message: 'Stored data',
})
export type StoredData = z.infer<typeof getStoredData.result>
