import { causeOfText } from '../cause.ts'
import { wrong } from '../field-errors.ts'
import { portabilityErrors } from './errors.ts'
import { errors } from '../errors.ts'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { UploadVisibility } from '../videos/uploads.ts'
import { VideoId } from '../videos/videos.ts'
import { isWebAddress } from '../messages/webhooks.ts'
import { optionalLine } from '../text.ts'
import { runningVideoImports } from '../constants.ts'

export const maxAddressCharacters = 2000

export const PublicAddress = z
  .string()
  .trim()
  .max(maxAddressCharacters, wrong(portabilityErrors.addressTooLong))
  .refine(isWebAddress, wrong(errors.invalidAddress))

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
  cause: causeOfText('failure'),
  createdAt: z.iso.datetime(),
})
export type VideoImport = z.infer<typeof VideoImport>

export const listVideoImports = endpoint({
  name: 'listVideoImports',
  tag: 'video-imports',
  summary: 'The last imports of the caller from addresses, newest first',
  method: 'GET',
  path: '/studio/imports',
  auth: 'required',
  result: z.array(VideoImport),
  message: 'Imports',
})

export const createVideoImport = endpoint({
  name: 'createVideoImport',
  tag: 'video-imports',
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
  tag: 'video-imports',
  summary: 'Stops an import of the caller, or removes one that has ended from the list; its video stays',
  method: 'DELETE',
  path: '/studio/imports/:importId',
  auth: 'required',
  params: z.object({ importId: VideoId }),
  result: z.null(),
  message: 'Import removed',
})
