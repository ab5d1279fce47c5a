import {
  clearHistory,
  getHistoryState,
  getPosition,
  getWatchHistory,
  listHistory,
  listPositions,
  putHistoryState,
  putPosition,
  removeFromHistory,
  updateHistory,
} from '../watching/history.ts'
import { example } from './example.ts'
import { videoId, cursor, page, video } from './samples.ts'

export const historyExamples = [
  example(updateHistory, { params: { videoId }, data: null }),
  example(getWatchHistory, { query: page, data: { watchHistory: [video], nextCursor: cursor } }),
  example(getPosition, { params: { videoId }, data: { positionSeconds: 312.5 } }),
  example(putPosition, {
    params: { videoId },
    body: { positionSeconds: 312.5, durationSeconds: 600 },
    data: null,
  }),
  example(listHistory, {
    query: { ...page, text: 'salt', unfinished: 'true' },
    data: [{ watchedAt: '2026-05-03T20:10:00.000Z', positionSeconds: 312.5, isFinished: false, video }],
    nextCursor: null,
  }),
  example(clearHistory, { data: null }),
  example(removeFromHistory, { params: { videoId }, data: null }),
  example(getHistoryState, { data: { isPaused: false } }),
  example(putHistoryState, { body: { isPaused: true }, data: { isPaused: true } }),
  example(listPositions, {
    query: { finished: 'true' },
    data: [{ videoId, positionSeconds: 312.5, isFinished: false }],
  }),
]
