import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const AccountExport = z.object({
  state: z.enum(['running', 'ready', 'failed']),
  progress: z.number().min(0).max(1).describe('Share of the video files that the archive has.'),
  sizeBytes: z.number().int().nullable().describe('Size of the archive; null until it is ready.'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type AccountExport = z.infer<typeof AccountExport>

/** Path of the archive, relative to `apiPrefix`. Accepts byte ranges. */
export const accountArchivePath = '/users/export/archive.zip'

export const getAccountExport = endpoint({
  name: 'getAccountExport',
  tag: 'account-exports',
  summary: 'The export of the caller’s account; null while there is none',
  method: 'GET',
  path: '/users/export',
  auth: 'required',
  result: AccountExport.nullable(),
  message: 'Account export',
})

export const createAccountExport = endpoint({
  name: 'createAccountExport',
  tag: 'account-exports',
  summary:
    'Starts an export of the caller’s account, which replaces the former one. `GET /users/export/archive.zip` returns it when it is ready.',
  method: 'POST',
  path: '/users/export',
  auth: 'required',
  result: AccountExport,
  status: 201,
  message: 'Account export started',
})

export const deleteAccountExport = endpoint({
  name: 'deleteAccountExport',
  tag: 'account-exports',
  summary: 'Deletes the export of the caller’s account, or stops it',
  method: 'DELETE',
  path: '/users/export',
  auth: 'required',
  result: z.null(),
  message: 'Account export deleted',
})
