import {
  createLiveKey,
  createLiveShow,
  deleteLiveShow,
  endOwnLiveStream,
  getLiveChannel,
  getLiveKey,
  getLiveStatus,
  leaveBrowserStream,
  listLiveChannels,
  listLiveShows,
  listLiveStreams,
  openBrowserStream,
  type LiveChannel,
  type LiveStream,
  putLivePermission,
  putLiveTemplate,
} from '../live/live-streams.ts'
import { example } from './example.ts'
import { ines, videoId } from './samples.ts'

const stream: LiveStream = {
  videoId,
  title: 'Salt flats, live',
  visibility: 'public',
  username: ines.username,
  fullname: ines.fullname,
  startedAt: '2026-05-02T08:15:30.000Z',
  endedAt: null,
  endReason: null,
  isConnected: true,
  isFromBrowser: false,
  keepsRecording: true,
  durationSeconds: 721.4,
  sizeBytes: 271_800_000,
  viewers: 12,
  peakViewers: 31,
  health: {
    bitsPerSecond: 3_014_000,
    keyframeSeconds: 2,
    framesPerSecond: 30,
    width: 1920,
    height: 1080,
    hasAudio: true,
    droppedFrames: 0,
    lateMs: 40,
  },
}
const template = {
  title: 'Salt flats, live',
  description: 'Every Saturday',
  visibility: 'public',
  keepsRecording: true,
} as const
const channel: LiveChannel = {
  mayStream: true,
  servers: ['rtmp://video.example.org:1935/live'],
  hasKey: true,
  template,
  stream: null,
  refusal: null,
}
const browserId = 'Tz4kQ9wLr2YnB7vX'
const showId = 'Lq8wN3cYt6RzK1xV'
const key = 'n7Rk2VtY0cQ4mXbL9sHfJ3wEaZ6uDgPiO1xCvBqTe58'

export const liveStreamExamples = [
  example(getLiveChannel, { data: { ...channel, stream } }),
  example(putLiveTemplate, { body: template, data: channel }),
  example(listLiveShows, { data: [{ id: showId, ...template }] }),
  example(createLiveShow, { body: template, data: { id: showId, ...template } }),
  example(deleteLiveShow, { params: { id: showId }, data: null }),
  example(getLiveKey, { data: { key } }),
  example(createLiveKey, { data: { key } }),
  example(openBrowserStream, { data: { id: browserId } }),
  example(leaveBrowserStream, { params: { id: browserId }, data: null }),
  example(endOwnLiveStream, { data: { ...channel, stream } }),
  example(getLiveStatus, {
    params: { id: videoId },
    data: {
      isLive: true,
      isConnected: true,
      startedAt: stream.startedAt,
      endedAt: null,
      viewers: stream.viewers,
    },
  }),
  example(listLiveStreams, { data: [stream] }),
  example(listLiveChannels, { data: [{ username: ines.username, fullname: ines.fullname }] }),
  example(putLivePermission, {
    params: { username: ines.username },
    body: { isAllowed: true },
    data: null,
  }),
]
