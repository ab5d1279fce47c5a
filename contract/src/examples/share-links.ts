import {
  createShareLink,
  deleteShareLink,
  getLockedVideo,
  listLockedVideos,
  listShareLinks,
  type LockedVideo,
  openLockedVideo,
  openShareLink,
  recordSharedView,
  type ShareLink,
  type SharedVideo,
} from '../videos/share-links.ts'
import { example } from './example.ts'
import { metadata, video, videoId } from './samples.ts'

export const shareLink: ShareLink = {
  _id: '0mf5v2k7t1x9ab',
  name: 'Class 4b',
  secret: 'kq3VtqYl2mXfQ0yV8dR2bN7tK1wZ4cJ9hL6pS3gA5eU',
  hasPassword: true,
  expiresAt: '2026-05-08T16:00:00.000Z',
  maxViewers: null,
  allowsDownload: false,
  viewers: 23,
  createdAt: '2026-05-04T08:00:00.000Z',
  usedAt: '2026-05-05T09:30:00.000Z',
  isListed: false,
  showsPicture: false,
}

export const visit = 'mXfQ0yV8dR2bN7tK1wZ4cJ9hL6pS3gA5eU0oI8yT2rA'

export const sharedVideo: SharedVideo = {
  ...video,
  ...metadata,
  clipsAllowed: false,
  captions: [],
  chapters: [],
  visibility: 'private',
  downloadsAllowed: false,
  videoFile: null,
}

const { _id, title, thumbnail, videoOwner } = video
const lockedVideo: LockedVideo = { _id, title, thumbnail, videoOwner }

export const shareLinkExamples = [
  example(listShareLinks, { params: { id: videoId }, data: [shareLink] }),
  example(createShareLink, {
    params: { id: videoId },
    body: { name: shareLink.name, password: 'seagull', expiresAt: '2026-05-08T16:00:00.000Z' },
    data: { ...shareLink, viewers: 0, usedAt: null },
  }),
  example(deleteShareLink, { params: { id: videoId, linkId: shareLink._id }, data: null }),
  example(openShareLink, {
    body: { secret: shareLink.secret, password: 'seagull' },
    data: { visit, video: sharedVideo },
  }),
  example(listLockedVideos, {
    query: { username: videoOwner.username, limit: 20, cursor: 'a4' },
    data: [lockedVideo],
    nextCursor: null,
  }),
  example(getLockedVideo, { params: { id: videoId }, data: lockedVideo }),
  example(openLockedVideo, {
    params: { id: videoId },
    body: { password: 'seagull' },
    data: { visit, video: sharedVideo },
  }),
  example(recordSharedView, { body: { visit }, data: null }),
]
