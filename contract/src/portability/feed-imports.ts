import { causeOfText } from '../cause.ts'
import { wrong } from '../field-errors.ts'
import { portabilityErrors } from './errors.ts'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { PublicAddress, maxAddressCharacters } from './video-imports.ts'
import { UploadVisibility } from '../videos/uploads.ts'
import { VideoId } from '../videos/videos.ts'
import { feedImportsPerAccount } from '../constants.ts'

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
  cause: causeOfText('failure'),
  importedCount: z.number().int().describe('Imported videos that are on this site.'),
  waitingCount: z.number().int().describe('Videos whose import has not ended.'),
  createdAt: z.iso.datetime(),
})
export type FeedImport = z.infer<typeof FeedImport>

const feedParams = z.object({ feedId: VideoId })

export const listFeedImports = endpoint({
  name: 'listFeedImports',
  tag: 'feed-imports',
  summary: 'The feeds whose videos are imported into the channel of the caller, oldest first',
  method: 'GET',
  path: '/studio/feed-imports',
  auth: 'required',
  result: z.array(FeedImport),
  message: 'Feeds',
})

export const createFeedImport = endpoint({
  name: 'createFeedImport',
  tag: 'feed-imports',
  summary: `Imports the new videos of an RSS or Atom feed every hour, where the site allows it; at most ${feedImportsPerAccount} feeds per account`,
  method: 'POST',
  path: '/studio/feed-imports',
  auth: 'required',
  body: z.object({
    // as it is stored, percent-encoded
    url: PublicAddress.refine(
      (address) => (URL.parse(address)?.href.length ?? 0) <= maxAddressCharacters,
      wrong(portabilityErrors.addressTooLong),
    ),
    visibility: UploadVisibility.default('private'),
    importsExisting: z
      .boolean()
      .default(false)
      .describe('Whether the videos that the feed has now are imported too.'),
  }),
  result: FeedImport,
  status: 201,
  message: 'Feed added',
})

export const updateFeedImport = endpoint({
  name: 'updateFeedImport',
  tag: 'feed-imports',
  summary: 'Pauses or resumes a feed of the caller; a resumed one is checked immediately',
  method: 'PATCH',
  path: '/studio/feed-imports/:feedId',
  auth: 'required',
  params: feedParams,
  body: z.object({ isPaused: z.boolean() }),
  result: FeedImport,
  message: 'Feed changed',
})

export const deleteFeedImport = endpoint({
  name: 'deleteFeedImport',
  tag: 'feed-imports',
  summary: 'Removes a feed of the caller; its videos stay',
  method: 'DELETE',
  path: '/studio/feed-imports/:feedId',
  auth: 'required',
  params: feedParams,
  result: z.null(),
  message: 'Feed removed',
})
