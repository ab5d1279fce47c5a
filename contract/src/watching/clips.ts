import { z } from 'zod'
import { ChannelQuery } from '../channel-roles.ts'
import { endpoint } from '../endpoint.ts'
import { wrong } from '../field-errors.ts'
import { PageQuery } from '../page-query.ts'
import { anyRequiredText, requiredLine } from '../text.ts'
import { Video, VideoId, VideoOwner } from '../videos/videos.ts'
import { clipMaxSeconds, clipMinSeconds } from './clip-limits.ts'
import { watchingErrors } from './errors.ts'

const auth = 'required'

const ClipId = z.string().min(1).max(64)
const params = z.object({ clipId: ClipId })
const title = requiredLine('Title', 'titleMaxCharacters')

/** A part of a video that somebody shares under a title. Nothing is copied: it plays the video. */
export const Clip = z.object({
  _id: ClipId,
  title: z.string(),
  startSeconds: z.number().describe('In the video as viewers see it. A cut moves it.'),
  endSeconds: z.number(),
  createdAt: z.iso.datetime(),
  maker: VideoOwner,
  video: Video,
})
export type Clip = z.infer<typeof Clip>

const noTime =
  'In the video as viewers see it. Null where the caller may not see the video, or a cut removed all of the clip.'

/** A clip in a list of those that the caller may remove, also while nobody can play it. */
export const ListedClip = Clip.extend({
  startSeconds: z.number().nullable().describe(noTime),
  endSeconds: z.number().nullable().describe(noTime),
  video: Video.nullable().describe('Null where the caller may not see it.'),
})
export type ListedClip = z.infer<typeof ListedClip>

/** A clip as its page shows it. */
export const DetailedClip = Clip.extend({
  isOwn: z.boolean().describe('Whether the caller made it, and may change its title.'),
  mayRemove: z
    .boolean()
    .describe('Whether the caller made it, or owns or works on the channel of the video.'),
})
export type DetailedClip = z.infer<typeof DetailedClip>

const seconds = z.number().min(0).max(1e7)

export const createClip = endpoint({
  name: 'createClip',
  tag: 'clips',
  summary: 'Makes a clip of a video whose owner allows it',
  method: 'POST',
  path: '/clips',
  auth,
  body: z
    .object({
      // an id that no video can have returns 404
      videoId: anyRequiredText('videoId'),
      title,
      startSeconds: seconds.describe('In the video as the caller sees it.'),
      endSeconds: seconds,
      durationSeconds: seconds
        .optional()
        .describe('Length of the video that the times belong to. After a cut that changed it: 409.'),
    })
    .refine(({ startSeconds, endSeconds }) => endSeconds - startSeconds >= clipMinSeconds, {
      path: ['endSeconds'],
      ...wrong(watchingErrors.clipTooShort, { seconds: clipMinSeconds }),
    })
    .refine(({ startSeconds, endSeconds }) => endSeconds - startSeconds <= clipMaxSeconds, {
      path: ['endSeconds'],
      ...wrong(watchingErrors.clipTooLong, { limitMinutes: clipMaxSeconds / 60 }),
    }),
  result: DetailedClip,
  status: 201,
  message: 'Clip made',
})

export const getClip = endpoint({
  name: 'getClip',
  tag: 'clips',
  summary: 'A clip of a video that the caller may see, as far as the video still has that part',
  method: 'GET',
  path: '/clips/:clipId',
  auth: 'optional',
  params,
  result: DetailedClip,
  message: 'Clip',
})

export const renameClip = endpoint({
  name: 'renameClip',
  tag: 'clips',
  summary: 'Changes the title of an own clip',
  method: 'PUT',
  path: '/clips/:clipId',
  auth,
  params,
  body: z.object({ title }),
  result: DetailedClip,
  message: 'Clip changed',
})

export const deleteClip = endpoint({
  name: 'deleteClip',
  tag: 'clips',
  summary: 'Removes an own clip, or one of a video of a channel that the caller owns or works on',
  method: 'DELETE',
  path: '/clips/:clipId',
  auth,
  params,
  result: z.null(),
  message: 'Clip removed',
})

export const listOwnClips = endpoint({
  name: 'listOwnClips',
  tag: 'clips',
  summary: 'Clips of the caller, newest first, also those that nobody can play',
  method: 'GET',
  path: '/clips',
  auth,
  query: PageQuery,
  result: z.array(ListedClip),
  paged: true,
  message: 'Clips',
})

export const listReceivedClips = endpoint({
  name: 'listReceivedClips',
  tag: 'clips',
  summary: 'Clips that others and the caller made of videos of a channel, newest first',
  method: 'GET',
  path: '/studio/clips',
  auth,
  channelRole: 'editor',
  query: PageQuery.extend(ChannelQuery.shape),
  result: z.array(ListedClip),
  paged: true,
  message: 'Clips',
})

export const ClipChoice = z
  .enum(['default', 'allowed', 'off'])
  .describe(
    'Whether viewers may make clips. `default`: as the channel says, and there while a video is public. `allowed`: everybody who may watch the video.',
  )
export type ClipChoice = z.infer<typeof ClipChoice>

/** Whether viewers may make clips of an own video. */
export const ClipPolicy = z.object({ own: ClipChoice, channel: ClipChoice })
export type ClipPolicy = z.infer<typeof ClipPolicy>

const video = z.object({ id: VideoId })

export const getClipPolicy = endpoint({
  name: 'getClipPolicy',
  tag: 'clips',
  summary: 'Whether viewers may make clips of an own video',
  method: 'GET',
  path: '/studio/videos/:id/clip-policy',
  auth,
  channelRole: 'editor',
  params: video,
  result: ClipPolicy,
  message: 'Clips',
})

export const putClipPolicy = endpoint({
  name: 'putClipPolicy',
  tag: 'clips',
  summary:
    'Chooses whether viewers may make clips of an own video. Existing ones stay until they are removed',
  method: 'PUT',
  path: '/studio/videos/:id/clip-policy',
  auth,
  channelRole: 'editor',
  params: video,
  body: z.object({ clips: ClipChoice }),
  result: ClipPolicy,
  message: 'Clips saved',
})

export const getChannelClipPolicy = endpoint({
  name: 'getChannelClipPolicy',
  tag: 'clips',
  summary: 'Whether viewers may make clips of videos of the own channel that have no choice of their own',
  method: 'GET',
  path: '/studio/clip-policy',
  auth,
  channelRole: 'manager',
  query: ChannelQuery,
  result: z.object({ clips: ClipChoice }),
  message: 'Clips',
})

export const putChannelClipPolicy = endpoint({
  name: 'putChannelClipPolicy',
  tag: 'clips',
  summary: 'Chooses whether viewers may make clips of videos of the own channel',
  method: 'PUT',
  path: '/studio/clip-policy',
  auth,
  channelRole: 'manager',
  query: ChannelQuery,
  body: z.object({ clips: ClipChoice }),
  result: z.object({ clips: ClipChoice }),
  message: 'Clips saved',
})
