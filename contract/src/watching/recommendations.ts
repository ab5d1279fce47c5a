import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { UsernameParam } from '../accounts/users.ts'
import { Video, VideoId, VideoOwner } from '../videos/videos.ts'

const ofVideo = z.object({ videoId: VideoId })

/** Why a video is recommended. */
export const Reason = z.object({
  kind: z.enum(['channel', 'tag', 'popular']),
  tag: z.string().nullable().describe('A shared tag; null unless `kind` is `tag`.'),
})
export type Reason = z.infer<typeof Reason>

export const Recommendation = z.object({ video: Video, reason: Reason })
export type Recommendation = z.infer<typeof Recommendation>

export const listRecommendations = endpoint({
  name: 'listRecommendations',
  tag: 'recommendations',
  summary:
    'Videos of the same channel, with shared tags, and popular ones; at most two in a row of one channel. `searchVideos` finds those with shared words',
  method: 'GET',
  path: '/recommendations/:videoId',
  auth: 'optional',
  params: ofVideo,
  result: z.array(Recommendation),
  message: 'Recommendations',
})

/** Number of dismissed videos, and of dismissed channels, that are listed, latest first. */
export const listedDismissals = 500

export const listDismissed = endpoint({
  name: 'listDismissed',
  tag: 'recommendations',
  summary: `The ${listedDismissals} videos and channels that the caller dismissed last`,
  method: 'GET',
  path: '/dismissed',
  auth: 'required',
  result: z.object({ videoIds: z.array(VideoId), channels: z.array(VideoOwner) }),
  message: 'Dismissed videos and channels',
})

/** Number of dismissed videos that are listed with their metadata. */
export const shownDismissals = 100

export const listDismissedVideos = endpoint({
  name: 'listDismissedVideos',
  tag: 'recommendations',
  summary: `The ${shownDismissals} videos that the caller dismissed last and may see`,
  method: 'GET',
  path: '/dismissed/videos',
  auth: 'required',
  result: z.array(Video),
  message: 'Dismissed videos',
})

export const dismissVideo = endpoint({
  name: 'dismissVideo',
  tag: 'recommendations',
  summary: 'Leaves a video out of the recommendations of the caller',
  method: 'PUT',
  path: '/dismissed/videos/:videoId',
  auth: 'required',
  params: ofVideo,
  result: z.null(),
  message: 'Video dismissed',
})

export const restoreVideo = endpoint({
  name: 'restoreVideo',
  tag: 'recommendations',
  summary: 'Recommends a dismissed video again',
  method: 'DELETE',
  path: '/dismissed/videos/:videoId',
  auth: 'required',
  params: ofVideo,
  result: z.null(),
  message: 'Video restored',
})

export const dismissChannel = endpoint({
  name: 'dismissChannel',
  tag: 'recommendations',
  summary: 'Leaves a channel out of the recommendations of the caller',
  method: 'PUT',
  path: '/dismissed/channels/:username',
  auth: 'required',
  params: UsernameParam,
  result: z.null(),
  message: 'Channel dismissed',
})

export const restoreChannel = endpoint({
  name: 'restoreChannel',
  tag: 'recommendations',
  summary: 'Recommends a dismissed channel again',
  method: 'DELETE',
  path: '/dismissed/channels/:username',
  auth: 'required',
  params: UsernameParam,
  result: z.null(),
  message: 'Channel restored',
})
