import { z } from 'zod'
import { runningVideoImports } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { optionalLine } from './text.ts'
import { UploadVisibility } from './uploads.ts'
import { VideoId } from './videos.ts'
import { isWebAddress } from './webhooks.ts'

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
  createdAt: z.iso.datetime(),
  report: ImportReport,
})
export type AccountImport = z.infer<typeof AccountImport>

export const getAccountImport = endpoint({
  name: 'getAccountImport',
  tag: 'users',
  summary: 'The last import into the caller’s account, running or ended; null while there is none',
  method: 'GET',
  path: '/users/import',
  auth: 'required',
  result: AccountImport.nullable(),
  message: 'Account import',
})

export const createAccountImport = endpoint({
  name: 'createAccountImport',
  tag: 'users',
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
  tag: 'users',
  summary: 'Stops the import of the caller’s account, or removes the report of one that has ended',
  method: 'DELETE',
  path: '/users/import',
  auth: 'required',
  result: z.null(),
  message: 'Account import stopped',
})

/** A video that is fetched from an address. */
export const VideoImport = z.object({
  _id: VideoId.describe('The video has the same id once the state is `done`.'),
  url: z.string(),
  title: z.string(),
  visibility: UploadVisibility,
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  receivedBytes: z.number().int(),
  sizeBytes: z.number().int().nullable().describe('Null where the server does not state it.'),
  failure: z.string().nullable().describe('Why the state is `failed`.'),
  createdAt: z.iso.datetime(),
})
export type VideoImport = z.infer<typeof VideoImport>

export const listVideoImports = endpoint({
  name: 'listVideoImports',
  tag: 'studio',
  summary: 'The last imports of the caller from addresses, newest first',
  method: 'GET',
  path: '/studio/imports',
  auth: 'required',
  result: z.array(VideoImport),
  message: 'Imports',
})

export const createVideoImport = endpoint({
  name: 'createVideoImport',
  tag: 'studio',
  summary: `Fetches a media file from a public address and publishes it like an upload, where the site allows it; at most ${runningVideoImports} at a time`,
  method: 'POST',
  path: '/studio/imports',
  auth: 'required',
  body: z.object({
    url: z
      .string()
      .trim()
      .max(2000, 'The address may have at most 2,000 characters')
      .refine(isWebAddress, 'Enter an address that begins with https:// or http://'),
    title: optionalLine('Title', 'titleMaxCharacters').describe('Default: the name of the file.'),
    visibility: UploadVisibility.default('private'),
  }),
  result: VideoImport,
  status: 201,
  message: 'Import started',
})

export const deleteVideoImport = endpoint({
  name: 'deleteVideoImport',
  tag: 'studio',
  summary: 'Stops an import of the caller, or removes one that has ended from the list; its video stays',
  method: 'DELETE',
  path: '/studio/imports/:importId',
  auth: 'required',
  params: z.object({ importId: VideoId }),
  result: z.null(),
  message: 'Import removed',
})
