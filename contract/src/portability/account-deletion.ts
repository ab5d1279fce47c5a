import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const tag = 'users'

/** Sessions of an account that is being deleted open nothing else. Both calls read the session themselves. */
const auth = 'none'

export const AccountDeletion = z.object({
  username: z.string(),
  deletesAt: z.iso.datetime().describe('When the account is removed for good.'),
})
export type AccountDeletion = z.infer<typeof AccountDeletion>

export const getAccountDeletion = endpoint({
  name: 'getAccountDeletion',
  tag,
  summary: 'When the account of the session is removed; 404 for others',
  method: 'GET',
  path: '/users/deletion',
  auth,
  result: AccountDeletion,
  message: 'Deletion',
})

export const keepAccount = endpoint({
  name: 'keepAccount',
  tag,
  summary: 'Keeps the account of the session, which its holder deleted, and shows it again',
  method: 'POST',
  path: '/users/deletion/keep',
  auth,
  result: z.null(),
  message: 'Account kept',
})
