import { wrong } from '../field-errors.ts'
import { videoErrors } from './errors.ts'
import { z } from 'zod'
import { ChannelQuery } from '../channel-roles.ts'
import { endpoint } from '../endpoint.ts'
import { optionalText, requiredLine, requiredText } from '../text.ts'
import { Video, VideoId, VideoOwner, Visibility } from './videos.ts'

/** Text fields of an upload, in one request or resumable. */
export const UploadFields = z.object({
  title: requiredLine('Title', 'titleMaxCharacters'),
  description: requiredText('Description', 'descriptionMaxCharacters'),
  keepMetadata: z
    .enum(['true', 'false'], wrong(videoErrors.keepMetadataFormat))
    .optional()
    .describe(
      'With `true`, tags of place, device and the like stay in the file; otherwise they are blanked.',
    ),
  visibility: Visibility.exclude(['scheduled'], wrong(videoErrors.visibilityOfUpload))
    .optional()
    .describe('`public` if omitted.'),
})

export const uploadVideo = endpoint({
  name: 'uploadVideo',
  tag: 'uploads',
  summary: 'Uploads a video in one request',
  method: 'POST',
  path: '/video/upload',
  auth: 'required',
  body: UploadFields,
  files: {
    video: {
      required: true,
      description: 'MP4, WebM or Ogg; other formats by the setting `ACCEPTED_CONTAINERS`',
    },
    thumbnail: { required: true, description: 'JPEG or PNG' },
  },
  result: Video,
  status: 201,
  message: 'Video uploaded',
})

/** Idempotent: repeated announcements cost nothing. */
export const announceUpload = endpoint({
  name: 'announceUpload',
  tag: 'uploads',
  summary: 'Announces an upload that begins within a minute, so that its inspection starts faster; optional',
  method: 'POST',
  path: '/video/announced',
  auth: 'required',
  result: z.null(),
  message: 'Waiting for upload',
})

export const publishUpload = endpoint({
  name: 'publishUpload',
  tag: 'uploads',
  summary: 'Publishes a finished resumable upload; a rejected request keeps the upload and can be repeated',
  method: 'POST',
  path: '/uploads/:id/publish',
  auth: 'required',
  channelRole: 'editor',
  params: z.object({ id: VideoId }),
  body: UploadFields.extend({ description: optionalText('Description', 'descriptionMaxCharacters') }),
  files: {
    thumbnail: { required: false, description: 'JPEG or PNG; a frame of the video where none is sent' },
  },
  result: Video,
  status: 201,
  message: 'Video uploaded',
})

export const replaceFile = endpoint({
  name: 'replaceFile',
  tag: 'uploads',
  summary:
    'Replaces the file of an own video by a complete resumable upload; the old one is played until the new one can be',
  method: 'PUT',
  path: '/studio/videos/:id/file',
  auth: 'required',
  channelRole: 'editor',
  params: z.object({ id: VideoId }),
  body: z.object({
    uploadId: VideoId.describe(
      'The last part of the URL of the upload. Begin it with `replaces` and the id of the video in `Upload-Metadata`: quotas then count it instead of the old file.',
    ),
    keepsMetadata: z.boolean().optional().describe('Tags of place and device stay in the file.'),
  }),
  result: Video,
  message: 'File replaced',
})

export const UploadVisibility = Visibility.exclude(['scheduled'])

/** Texts of an upload, kept on the server until it is published. */
const UploadDraft = z.object({
  title: z.string().trim().max(2000),
  description: z.string().trim().max(200_000),
  visibility: UploadVisibility,
})

export const UnfinishedUpload = UploadDraft.extend({
  _id: VideoId.describe('Continue it by tus at `/uploads/:id`, then publish it.'),
  fileName: z.string(),
  sizeBytes: z.number(),
  receivedBytes: z.number(),
  isGrowing: z
    .boolean()
    .describe(
      'The length is not known yet: a recording that goes on or was interrupted. End it by a `PATCH` with `Upload-Length`.',
    ),
  uploader: VideoOwner.pick({ username: true, fullname: true })
    .nullable()
    .describe('The person who sends it, where that is not the caller.'),
})
export type UnfinishedUpload = z.infer<typeof UnfinishedUpload>

export const listUnfinishedUploads = endpoint({
  name: 'listUnfinishedUploads',
  tag: 'uploads',
  summary: 'Resumable uploads of the caller, or of colleagues, that have a draft and are not published',
  method: 'GET',
  path: '/studio/uploads',
  auth: 'required',
  channelRole: 'editor',
  query: ChannelQuery.extend({
    by: z
      .enum(['caller', 'others'])
      .optional()
      .describe('`others`: those that other people who work on the channel are sending. They continue them.'),
  }),
  result: z.array(UnfinishedUpload),
  message: 'Unfinished uploads',
})

export const saveUploadDraft = endpoint({
  name: 'saveUploadDraft',
  tag: 'uploads',
  summary: 'Saves the texts of an own resumable upload until it is published',
  method: 'PUT',
  path: '/studio/uploads/:id',
  auth: 'required',
  channelRole: 'editor',
  params: z.object({ id: VideoId }),
  body: UploadDraft,
  result: z.null(),
  message: 'Draft saved',
})

const UploadQuota = z.object({
  quotaBytes: z.number().int().nullable().describe('Bytes of all videos; null for unlimited.'),
  quotaVideos: z.number().int().nullable().describe('Number of videos; null for unlimited.'),
  quotaHours: z.number().int().nullable().describe('Hours of all videos; null for unlimited.'),
  quotaDailyBytes: z.number().int().nullable().describe('Bytes within 24 hours; null for unlimited.'),
  quotaVideoMinutes: z
    .number()
    .int()
    .nullable()
    .describe('Length of the longest video in minutes; null for unlimited.'),
  usedBytes: z.number().int(),
  usedVideos: z.number().int(),
  usedHours: z.number(),
  usedDailyBytes: z
    .number()
    .int()
    .describe('Size of the uploads of the last 24 hours, deleted ones included.'),
  dailyBytesFreeAt: z.iso
    .datetime()
    .nullable()
    .describe('When the oldest of these uploads counts no more; null without one.'),
})
export type UploadQuota = z.infer<typeof UploadQuota>

export const getUploadQuota = endpoint({
  name: 'getUploadQuota',
  tag: 'uploads',
  summary: 'What the caller may upload, and what is used of it',
  method: 'GET',
  path: '/studio/quota',
  auth: 'required',
  channelRole: 'editor',
  query: ChannelQuery,
  result: UploadQuota,
  message: 'Quota',
})
