import { causeOfText } from '../cause.ts'
import { SensitiveMark } from '../sensitive-mark.ts'
import { wrong } from '../field-errors.ts'
import { videoErrors } from './errors.ts'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { PageQuery } from '../page-query.ts'
import { optionalLine, optionalText } from '../text.ts'
import { Category, Tag, VideoMetadata } from './video-metadata.ts'
import { UsernameParam } from '../accounts/users.ts'

export const VideoId = z.string().min(1).max(64)

/** The short form of a user, next to their content. */
export const VideoOwner = z.object({
  _id: z.string(),
  username: z.string(),
  fullname: z.string(),
  avatar: z.string(),
})

/**
 * Processing state; `progress` runs from 0 to 1. A video is playable in every state except `taken_down`, in which only
 * its owner sees it on the dashboard, with the operators' reason.
 */
export const Processing = z.object({
  state: z.enum(['processing', 'ready', 'failed', 'taken_down']),
  progress: z.number().min(0).max(1).describe('From 0 to 1. The video plays before it is 1.'),
  reason: z.string().nullable().describe('Why preparation failed or is incomplete; null otherwise.'),
  cause: causeOfText('reason').optional(),
})
export type Processing = z.infer<typeof Processing>

/** Visibility of a video; `scheduled` is private until its time, then public. */
export const Visibility = z.enum(
  ['public', 'unlisted', 'members', 'private', 'scheduled'],
  wrong(videoErrors.visibilityOfVideo),
)
export type Visibility = z.infer<typeof Visibility>

export const Chapter = z.object({
  title: z.string(),
  startSeconds: z.number().describe('From the beginning of the video.'),
  endSeconds: z.number().describe('Where the next chapter begins, or the video ends.'),
})
export type Chapter = z.infer<typeof Chapter>

export const Video = z.object({
  _id: VideoId,
  title: z.string(),
  description: z.string(),
  thumbnail: z
    .string()
    .describe('URL, 640 pixels wide; also available as 320.webp and 1280.webp, each also as .jpg.'),
  videoFile: z.string().describe('URL of the file as it was uploaded; supports byte ranges.'),
  streamUrl: z.string().describe('URL of the HLS master playlist: every quality.'),
  storyboardUrl: z.string().nullable().describe('URL of a WebVTT file of thumbnails; null until it exists.'),
  duration: z.number().describe('Seconds.'),
  width: z.number().int().describe('Pixels, as displayed.'),
  height: z.number().int().describe('Pixels, as displayed.'),
  views: z.number().int(),
  createdAt: z.iso.datetime(),
  totalSubs: z.number().int().describe('Subscribers of the owner.'),
  totalLikes: z.number().int(),
  videoOwner: VideoOwner,
  processing: Processing,
  visibility: Visibility.describe('Lists show public ones, and to signed-in callers those for members.'),
  heldVisibility: Visibility.optional().describe(
    'Visibility after approval. Until then only its owner and moderators see it.',
  ),
  premiereAt: z.iso
    .datetime()
    .optional()
    .describe('When everybody watches it together, or did; absent for videos without a premiere.'),
  sensitive: SensitiveMark.optional().describe('The mark of sensitive content; absent without one.'),
  isLive: z
    .literal(true)
    .optional()
    .describe('The video is a live stream that still runs; absent otherwise.'),
})
export type Video = z.infer<typeof Video>

export const Captions = z.object({
  url: z.string().describe('URL of a WebVTT file.'),
  language: z.string().nullable().describe('BCP 47, where the file says it.'),
  label: z.string().describe('Name in the menu of the player.'),
  isAutomatic: z.boolean().describe('Whether the site has recognized them.'),
})
export type Captions = z.infer<typeof Captions>

/** A video requested by its id. Lists leave these fields out, because only its page and player need them. */
export const DetailedVideo = Video.extend({
  captions: z.array(Captions),
  chapters: z
    .array(Chapter)
    .describe('From the description, or else from the file; empty where neither lists any.'),
  movedTimes: z
    .array(z.object({ written: z.number().int(), seconds: z.number() }))
    .optional()
    .describe(
      'Where the times in the description lead; absent while they are those of the video, as before a cut.',
    ),
  downloadFile: z
    .string()
    .optional()
    .describe(
      'URL of an MP4 of what viewers see, where that is not the whole file. It is written while it is sent, so there is no `Content-Length`, byte ranges are ignored (`Accept-Ranges: none`), and an interrupted download begins again. Another cut has another URL.',
    ),
  clipsAllowed: z.boolean().describe('Whether viewers may make clips; owners always may.'),
  introId: VideoId.optional().describe(
    'Video of the channel that players show before this one; absent without one that the caller may see.',
  ),
  outroId: VideoId.optional().describe('As `introId`, after this one.'),
  hasChat: z.literal(true).optional().describe('Absent for videos without a chat.'),
  ...VideoMetadata.shape,
})
export type DetailedVideo = z.infer<typeof DetailedVideo>

const params = z.object({ id: VideoId })

export const listVideos = endpoint({
  name: 'listVideos',
  tag: 'videos',
  summary: 'All videos, newest first',
  method: 'GET',
  path: '/video/all',
  auth: 'optional',
  query: PageQuery,
  result: z.array(Video),
  paged: true,
  message: 'Videos',
})

export const browseVideos = endpoint({
  name: 'browseVideos',
  tag: 'videos',
  summary: 'Videos with a tag, or of a category, newest first',
  method: 'GET',
  path: '/browse',
  auth: 'optional',
  query: PageQuery.extend({
    tag: Tag.optional().describe('Also found as `#tag` in descriptions.'),
    category: Category.optional(),
  }),
  result: z.array(Video),
  paged: true,
  message: 'Videos',
})

/** Popular are the most watched of this many newest videos. */
export const popularAmong = 300
/** Of these, so many are listed. */
export const popularShown = 60

export const listPopularVideos = endpoint({
  name: 'listPopularVideos',
  tag: 'videos',
  summary: `The ${popularShown} most watched of the ${popularAmong} newest videos`,
  method: 'GET',
  path: '/popular',
  auth: 'optional',
  result: z.array(Video),
  message: 'Popular videos',
})

export const listCategories = endpoint({
  name: 'listCategories',
  tag: 'videos',
  summary: 'The categories that have videos',
  method: 'GET',
  path: '/categories',
  auth: 'optional',
  result: z.array(Category),
  message: 'Categories',
})

export const getVideo = endpoint({
  name: 'getVideo',
  tag: 'videos',
  summary: 'One video, as an array of exactly one',
  method: 'GET',
  path: '/video/:id',
  auth: 'optional',
  params,
  result: z.array(DetailedVideo).length(1),
  message: 'Video',
})

/** Processing state of one of the caller's videos. */
export const VideoProcessing = Processing.extend({ videoId: VideoId })
export type VideoProcessing = z.infer<typeof VideoProcessing>

export const recordView = endpoint({
  name: 'recordView',
  tag: 'videos',
  summary: 'Records a view, from anyone',
  method: 'PATCH',
  path: '/video/:id',
  auth: 'optional',
  params,
  result: z.null(),
  message: 'View recorded',
})

export const updateVideo = endpoint({
  name: 'updateVideo',
  tag: 'videos',
  summary: 'Changes title and description of an own video; a field left out or empty stays as it is',
  method: 'PATCH',
  path: '/video/:id/details',
  auth: 'required',
  params,
  body: z.object({
    title: optionalLine('Title', 'titleMaxCharacters'),
    description: optionalText('Description', 'descriptionMaxCharacters'),
  }),
  result: Video,
  message: 'Video updated',
})

export const listChannelVideos = endpoint({
  name: 'listChannelVideos',
  tag: 'videos',
  summary: 'The videos of a channel, newest first',
  method: 'GET',
  path: '/users/videos/:username',
  auth: 'required',
  params: UsernameParam,
  query: PageQuery,
  result: z.object({ userVideos: z.array(Video), nextCursor: z.string().nullable() }),
  message: 'Videos of the channel',
})
