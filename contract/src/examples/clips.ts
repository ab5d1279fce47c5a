import {
  type Clip,
  createClip,
  deleteClip,
  getChannelClipPolicy,
  getClip,
  getClipPolicy,
  listOwnClips,
  listReceivedClips,
  putChannelClipPolicy,
  putClipPolicy,
  renameClip,
} from '../watching/clips.ts'
import { example } from './example.ts'
import { clipId, cursor, jonas, page, video, videoId } from './samples.ts'

const clip: Clip = {
  _id: clipId,
  title: 'The first light',
  startSeconds: 540,
  endSeconds: 575.5,
  createdAt: '2026-05-02T19:45:10.000Z',
  maker: jonas,
  video,
}
const own = { ...clip, isOwn: true, mayRemove: true }

export const clipExamples = [
  example(createClip, {
    body: { videoId, title: clip.title, startSeconds: clip.startSeconds, endSeconds: clip.endSeconds },
    data: own,
  }),
  example(getClip, { params: { clipId }, data: own }),
  example(renameClip, { params: { clipId }, body: { title: clip.title }, data: own }),
  example(deleteClip, { params: { clipId }, data: null }),
  example(listOwnClips, { query: page, data: [clip], nextCursor: cursor }),
  example(listReceivedClips, { query: { ...page, channel: 'ines' }, data: [clip], nextCursor: cursor }),
  example(getClipPolicy, { params: { id: videoId }, data: { own: 'default', channel: 'default' } }),
  example(putClipPolicy, {
    params: { id: videoId },
    body: { clips: 'allowed' },
    data: { own: 'allowed', channel: 'default' },
  }),
  example(getChannelClipPolicy, { query: { channel: 'ines' }, data: { clips: 'default' } }),
  example(putChannelClipPolicy, {
    query: { channel: 'ines' },
    body: { clips: 'off' },
    data: { clips: 'off' },
  }),
]
