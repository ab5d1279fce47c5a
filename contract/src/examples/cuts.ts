import {
  deleteCut,
  deleteRemovedParts,
  getCut,
  keepRemovedParts,
  putCut,
  type VideoCut,
} from '../videos/cuts.ts'
import { example } from './example.ts'
import { videoId } from './samples.ts'

const uncut: VideoCut = {
  sourceDurationSeconds: 634.56,
  durationSeconds: 634.56,
  framesPerSecond: 25,
  keep: [{ startSeconds: 0, endSeconds: 634.56 }],
  publishedAt: null,
  changedAt: null,
  deletion: null,
  isDeletable: true,
  uncutStreamUrl: `/media/videos/${videoId}/uncut/master.m3u8`,
  uncutStoryboardUrl: `/media/videos/${videoId}/uncut/storyboard.vtt`,
}

const keep = [
  { startSeconds: 12.4, endSeconds: 300 },
  { startSeconds: 312.04, endSeconds: 634.56 },
]

const cut: VideoCut = {
  ...uncut,
  durationSeconds: 610.12,
  keep,
  publishedAt: '2026-05-04T08:00:00.000Z',
  changedAt: '2026-05-04T08:00:00.000Z',
}

export const cutExamples = [
  example(getCut, { params: { id: videoId }, data: uncut }),
  example(putCut, { params: { id: videoId }, body: { keep }, data: cut }),
  example(deleteCut, {
    params: { id: videoId },
    query: { changedAt: '2026-05-04T08:00:00.000Z' },
    data: { ...uncut, changedAt: '2026-05-05T08:00:00.000Z' },
  }),
  example(deleteRemovedParts, {
    params: { id: videoId },
    body: { publishedAt: '2026-05-04T08:00:00.000Z' },
    data: { ...cut, deletion: { state: 'running', progress: 0 } },
  }),
  example(keepRemovedParts, { params: { id: videoId }, data: cut }),
]
