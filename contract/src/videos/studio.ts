import { causeOfText } from '../cause.ts'
import { wrong } from '../field-errors.ts'
import { videoErrors } from './errors.ts'
import { z } from 'zod'
import { ChannelQuery } from '../channel-roles.ts'
import { endpoint } from '../endpoint.ts'
import { clearableText, FilterText, optionalLine } from '../text.ts'
import { Chapter, Video, VideoId, VideoOwner, Visibility } from './videos.ts'
import { SensitiveReason } from './sensitive-reason.ts'
import { metadataChanges, VideoMetadata } from './video-metadata.ts'

const params = z.object({ id: VideoId })

/** A video as its owner sees it. */
export const OwnVideo = Video.extend({
  publishAt: z.iso.datetime().nullable().describe('When a scheduled video becomes public.'),
  ...VideoMetadata.shape,
})
export type OwnVideo = z.infer<typeof OwnVideo>

/** A video as its owner edits it: lists leave these fields out. */
export const DetailedOwnVideo = OwnVideo.extend({
  viewers: z.array(VideoOwner).describe('The people who may see it while it is private.'),
  takedownReportId: z
    .string()
    .nullable()
    .describe('Id of the decision that took it down, which its owner may read and answer; null without one.'),
  chaptersOfFile: z.array(Chapter).describe('Chapters of the file, shown while the description lists none.'),
})
export type DetailedOwnVideo = z.infer<typeof DetailedOwnVideo>

export const StudioSort = z.enum(['newest', 'oldest', 'title', 'views', 'likes'])
export type StudioSort = z.infer<typeof StudioSort>

export const listOwnVideos = endpoint({
  name: 'listOwnVideos',
  tag: 'studio',
  summary: 'All videos of the caller, whatever their visibility',
  method: 'GET',
  path: '/studio/videos',
  auth: 'required',
  channelRole: 'editor',
  query: z.object({
    ...ChannelQuery.shape,
    text: FilterText.describe('Only those with this text in their title.'),
    visibility: Visibility.optional().describe('Only those of this visibility.'),
    sort: StudioSort.optional().describe('Default: `newest`.'),
    offset: z.coerce.number().int().min(0).max(1e6).optional().describe('Videos to skip.'),
    limit: z.coerce.number().int().min(1).max(100).optional().describe('Videos of a page; 50 by default.'),
  }),
  result: z.object({
    videos: z.array(OwnVideo),
    total: z.number().int().describe('Of all pages.'),
  }),
  message: 'Own videos',
})

export const getOwnVideo = endpoint({
  name: 'getOwnVideo',
  tag: 'studio',
  summary: 'One video of the caller',
  method: 'GET',
  path: '/studio/videos/:id',
  auth: 'required',
  channelRole: 'editor',
  params,
  result: DetailedOwnVideo,
  message: 'Own video',
})

/** Limit of viewers of one video. */
export const maxViewers = 200

const VideoChanges = z.object({
  title: optionalLine('Title', 'titleMaxCharacters'),
  description: clearableText('Description', 'descriptionMaxCharacters'),
  visibility: Visibility.optional(),
  publishAt: z.iso
    .datetime({ ...wrong(videoErrors.publishAtFormat), offset: true })
    .refine((time) => Date.parse(time) < Date.UTC(9999), wrong(videoErrors.publishAtTooLate))
    .optional()
    .describe('When it becomes public; goes with the visibility `scheduled`.'),
  isPremiere: z
    .boolean()
    .optional()
    .describe(
      'Everybody watches it together from `publishAt` on, with a chat; goes with the visibility `scheduled`.',
    ),
  viewers: z
    .array(z.string().trim().min(1).max(200))
    .max(maxViewers, wrong(videoErrors.viewerLimit, { limit: maxViewers }))
    .optional()
    .describe('Usernames of the people who may see it while it is private: all of them.'),
  sensitiveReason: SensitiveReason.nullable()
    .optional()
    .describe('Marks it as sensitive; null removes the mark.'),
  ...metadataChanges,
})

interface Scheduling {
  visibility?: Visibility | undefined
  publishAt?: string | undefined
  isPremiere?: boolean | undefined
}

/** Requires a time of publication with the visibility `scheduled`, and rejects it with any other. */
const checkSchedule = <Schema extends z.ZodType<Scheduling>>(changes: Schema) =>
  changes
    .refine((body) => body.visibility !== 'scheduled' || body.publishAt !== undefined, {
      path: ['publishAt'],
      message: 'Choose when the video becomes public',
    })
    .refine((body) => body.publishAt === undefined || body.visibility === 'scheduled', {
      path: ['publishAt'],
      message: 'Send the visibility `scheduled` with this time',
    })
    .refine((body) => !body.isPremiere || body.visibility === 'scheduled', {
      path: ['isPremiere'],
      message: 'Send the visibility `scheduled` with a premiere',
    })

export const changeOwnVideo = endpoint({
  name: 'changeOwnVideo',
  tag: 'studio',
  summary: 'Changes an own video; a field left out stays as it is',
  method: 'PATCH',
  path: '/studio/videos/:id',
  auth: 'required',
  channelRole: 'editor',
  params,
  body: checkSchedule(VideoChanges),
  result: DetailedOwnVideo,
  message: 'Video saved',
})

export const replaceThumbnail = endpoint({
  name: 'replaceThumbnail',
  tag: 'studio',
  summary: 'Replaces the thumbnail of an own video',
  method: 'PUT',
  path: '/studio/videos/:id/thumbnail',
  auth: 'required',
  channelRole: 'editor',
  params,
  files: { thumbnail: { required: true, description: 'JPEG or PNG' } },
  result: DetailedOwnVideo,
  message: 'Thumbnail saved',
})

export const chooseThumbnailFrame = endpoint({
  name: 'chooseThumbnailFrame',
  tag: 'studio',
  summary: 'Makes a frame of an own video its thumbnail',
  method: 'PUT',
  path: '/studio/videos/:id/thumbnail/frame',
  auth: 'required',
  channelRole: 'editor',
  params,
  body: z.object({ seconds: z.number().min(0).max(1e7).describe('Where the frame is shown in the video.') }),
  result: DetailedOwnVideo,
  message: 'Thumbnail saved',
})

/** Maximum number of videos in one call. */
export const maxChangedVideos = 100

const atMostVideos = wrong(videoErrors.videosLimit, { limit: maxChangedVideos })

/** Result of the change of one video. */
export const ChangeResult = z.object({
  _id: VideoId,
  error: z.string().nullable().describe('Why the video stayed as it was; null when it was changed.'),
  cause: causeOfText('error'),
})
export type ChangeResult = z.infer<typeof ChangeResult>

export const changeOwnVideos = endpoint({
  name: 'changeOwnVideos',
  tag: 'studio',
  summary: 'Changes several own videos, each on its own: one that fails does not stop the others',
  method: 'PATCH',
  path: '/studio/videos',
  auth: 'required',
  channelRole: 'editor',
  query: ChannelQuery,
  body: z.object({
    videos: z
      .array(checkSchedule(VideoChanges.omit({ viewers: true }).extend({ _id: VideoId })))
      .min(1)
      .max(maxChangedVideos, atMostVideos),
  }),
  result: z.array(ChangeResult),
  message: 'Videos changed',
})

export const deleteOwnVideos = endpoint({
  name: 'deleteOwnVideos',
  tag: 'studio',
  summary: 'Deletes several own videos, each on its own: one that fails does not stop the others',
  method: 'POST',
  path: '/studio/videos/delete',
  auth: 'required',
  channelRole: 'manager',
  query: ChannelQuery,
  body: z.object({ ids: z.array(VideoId).min(1).max(maxChangedVideos, atMostVideos) }),
  result: z.array(ChangeResult),
  message: 'Videos deleted',
})

export const getDashboard = endpoint({
  name: 'getDashboard',
  tag: 'studio',
  summary: 'Totals and videos of the caller',
  method: 'GET',
  path: '/users/dashboard/',
  auth: 'required',
  result: z.object({
    totalViews: z.number().int(),
    totalSubs: z.number().int(),
    totalLikes: z.number().int(),
    /** The newest of the caller's videos; `listChannelVideos` continues with the cursor. */
    userVideos: z.array(Video),
    nextCursor: z.string().nullable(),
    viewsByDay: z
      .array(z.object({ day: z.iso.date(), views: z.number().int() }))
      .describe('The last 28 days in UTC, oldest first, days without views included.'),
  }),
  message: 'Dashboard',
})
