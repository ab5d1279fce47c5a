import {
  dismissChannel,
  dismissVideo,
  listDismissed,
  listDismissedVideos,
  listRecommendations,
  restoreChannel,
  restoreVideo,
} from '../watching/recommendations.ts'
import { example } from './example.ts'
import { videoId, video } from './samples.ts'

export const recommendationExamples = [
  example(listRecommendations, {
    params: { videoId },
    data: [{ video, reason: { kind: 'tag', tag: 'salt' } }],
  }),
  example(listDismissed, { data: { videoIds: [videoId], channels: [video.videoOwner] } }),
  example(listDismissedVideos, { data: [video] }),
  example(dismissVideo, { params: { videoId }, data: null }),
  example(restoreVideo, { params: { videoId }, data: null }),
  example(dismissChannel, { params: { username: video.videoOwner.username }, data: null }),
  example(restoreChannel, { params: { username: video.videoOwner.username }, data: null }),
]
