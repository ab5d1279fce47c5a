import { z } from 'zod'
import { feedImportsPerAccount, runningVideoImports } from '../constants.ts'
import { endpoint } from '../endpoint.ts'
import { optionalLine } from '../text.ts'
import { UploadVisibility } from '../videos/uploads.ts'
import { VideoId } from '../videos/videos.ts'
import { isWebAddress } from '../messages/webhooks.ts'

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

const maxAddressCharacters = 2000
const addressTooLong = 'The address may have at most 2,000 characters'

const PublicAddress = z
  .string()
  .trim()
  .max(maxAddressCharacters, addressTooLong)
  .refine(isWebAddress, 'Enter an address that begins with https:// or http://')

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
    url: PublicAddress,
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

/** A feed whose new videos are imported. */
export const FeedImport = z.object({
  _id: VideoId,
  url: z.string(),
  title: z.string().nullable().describe('Null until the feed was read.'),
  visibility: UploadVisibility.describe('Who can watch the videos.'),
  isPaused: z.boolean(),
  checkedAt: z.iso.datetime().nullable().describe('The last check, failed or not.'),
  nextCheckAt: z.iso.datetime().nullable().describe('Null while it is paused.'),
  failure: z.string().nullable().describe('Why the last check failed, or why videos wait.'),
  importedCount: z.number().int().describe('Imported videos that are on this site.'),
  waitingCount: z.number().int().describe('Videos whose import has not ended.'),
  createdAt: z.iso.datetime(),
})
export type FeedImport = z.infer<typeof FeedImport>

const feedParams = z.object({ feedId: VideoId })

export const listFeedImports = endpoint({
  name: 'listFeedImports',
  tag: 'studio',
  summary: 'The feeds whose videos are imported into the channel of the caller, oldest first',
  method: 'GET',
  path: '/studio/feed-imports',
  auth: 'required',
  result: z.array(FeedImport),
  message: 'Feeds',
})

export const createFeedImport = endpoint({
  name: 'createFeedImport',
  tag: 'studio',
  summary: `Imports the new videos of an RSS or Atom feed every hour, where the site allows it; at most ${feedImportsPerAccount} feeds per account`,
  method: 'POST',
  path: '/studio/feed-imports',
  auth: 'required',
  body: z.object({
    // as it is stored, percent-encoded
    url: PublicAddress.refine(
      (address) => (URL.parse(address)?.href.length ?? 0) <= maxAddressCharacters,
      addressTooLong,
    ),
    visibility: UploadVisibility.default('private'),
    importsExisting: z
      .boolean('importsExisting is true or false')
      .default(false)
      .describe('Whether the videos that the feed has now are imported too.'),
  }),
  result: FeedImport,
  status: 201,
  message: 'Feed added',
})

export const updateFeedImport = endpoint({
  name: 'updateFeedImport',
  tag: 'studio',
  summary: 'Pauses or resumes a feed of the caller; a resumed one is checked immediately',
  method: 'PATCH',
  path: '/studio/feed-imports/:feedId',
  auth: 'required',
  params: feedParams,
  body: z.object({ isPaused: z.boolean('isPaused is true or false') }),
  result: FeedImport,
  message: 'Feed changed',
})

export const deleteFeedImport = endpoint({
  name: 'deleteFeedImport',
  tag: 'studio',
  summary: 'Removes a feed of the caller; its videos stay',
  method: 'DELETE',
  path: '/studio/feed-imports/:feedId',
  auth: 'required',
  params: feedParams,
  result: z.null(),
  message: 'Feed removed',
})
