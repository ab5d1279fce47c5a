import { causeOfText } from '../cause.ts'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { VideoId } from '../videos/videos.ts'

/** Formats that are imported. */
export const importFormats = ['kinora', 'peertube', 'youtube', 'newpipe', 'freetube', 'opml'] as const

const ImportCount = z.object({
  kind: z.string().describe('What is counted, such as `videos`.'),
  imported: z.number().int(),
  present: z.number().int().describe('Were here already, for example from an earlier import.'),
  skipped: z.number().int().describe('Could not be imported; `problems` has the reasons.'),
})

const ImportProblem = z.object({
  kind: z.string(),
  name: z.string().describe('Title, username or file that it is about.'),
  reason: z.string(),
  cause: causeOfText('reason').default(null),
  address: z.string().nullable().describe('URL of a channel of another platform.'),
})

export const ImportReport = z.object({
  counts: z.array(ImportCount),
  problems: z.array(ImportProblem).describe('The first ones.'),
  moreProblems: z.number().int().describe('Problems that `problems` leaves out.'),
})
export type ImportReport = z.infer<typeof ImportReport>

export const AccountImport = z.object({
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  progress: z.number().min(0).max(1),
  format: z.enum(importFormats).nullable().describe('Null until the file is recognized.'),
  failure: z.string().nullable().describe('Why the state is `failed`.'),
  cause: causeOfText('failure'),
  createdAt: z.iso.datetime(),
  report: ImportReport,
})
export type AccountImport = z.infer<typeof AccountImport>

export const getAccountImport = endpoint({
  name: 'getAccountImport',
  tag: 'account-imports',
  summary: 'The last import into the caller’s account, running or ended; null while there is none',
  method: 'GET',
  path: '/users/import',
  auth: 'required',
  result: AccountImport.nullable(),
  message: 'Account import',
})

export const createAccountImport = endpoint({
  name: 'createAccountImport',
  tag: 'account-imports',
  summary:
    'Imports a complete resumable upload: an archive of Kinora, PeerTube or YouTube Takeout, or a list of subscriptions. Videos and lists that are here already stay as they are',
  method: 'POST',
  path: '/users/import',
  auth: 'required',
  body: z.object({ uploadId: VideoId.describe('The last part of the URL of the upload.') }),
  result: AccountImport,
  status: 201,
  message: 'Account import started',
})

export const deleteAccountImport = endpoint({
  name: 'deleteAccountImport',
  tag: 'account-imports',
  summary: 'Stops the import of the caller’s account, or removes the report of one that has ended',
  method: 'DELETE',
  path: '/users/import',
  auth: 'required',
  result: z.null(),
  message: 'Account import stopped',
})
