import {
  findChannelVideos,
  getChannelProfile,
  listChannelPlaylists,
  listChannels,
  putChannelProfile,
} from '../watching/channels.ts'
import { example } from './example.ts'
import { ines, videoId, page, video, playlist } from './samples.ts'

const channelProfile = {
  about: 'Salt, wind and light.',
  links: ['https://example.com/'],
  joinedAt: '2026-01-12T08:00:00.000Z',
  videosCount: 1,
  hasLocked: false,
  hasComing: false,
  pinnedVideo: video,
}

export const channelExamples = [
  example(listChannels, {
    query: { ...page, sort: 'newest' },
    data: [{ ...ines, subscribersCount: 41, isSubscribed: false }],
    nextCursor: null,
  }),
  example(getChannelProfile, { params: { username: video.videoOwner.username }, data: channelProfile }),
  example(putChannelProfile, {
    query: { channel: 'ines' },
    body: { about: channelProfile.about, links: channelProfile.links, pinnedVideoId: videoId },
    data: channelProfile,
  }),
  example(findChannelVideos, {
    params: { username: video.videoOwner.username },
    query: { ...page, text: 'salt', sort: 'oldest' },
    data: [video],
    nextCursor: null,
  }),
  example(listChannelPlaylists, {
    params: { username: video.videoOwner.username },
    data: [{ ...playlist, visibility: 'public' }],
  }),
]
