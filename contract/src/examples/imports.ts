import {
  type AccountImport,
  createAccountImport,
  createFeedImport,
  createVideoImport,
  deleteFeedImport,
  deleteAccountImport,
  deleteVideoImport,
  getAccountImport,
  listVideoImports,
  type FeedImport,
  listFeedImports,
  updateFeedImport,
  type VideoImport,
} from '../portability/imports.ts'
import { example } from './example.ts'
import { videoId } from './samples.ts'

const accountImport: AccountImport = {
  state: 'done',
  progress: 1,
  format: 'kinora',
  failure: null,
  createdAt: '2026-11-02T09:10:00.000Z',
  report: {
    counts: [
      { kind: 'videos', imported: 12, present: 0, skipped: 0 },
      { kind: 'subscriptions', imported: 3, present: 1, skipped: 1 },
    ],
    problems: [
      { kind: 'subscriptions', name: 'jonas', reason: 'The channel is not on this site', address: null },
    ],
    moreProblems: 0,
  },
}

const videoImport: VideoImport = {
  _id: '3kd8s0q1v7m2xz4c',
  url: 'https://media.example.org/videos/glacier.mp4',
  title: 'glacier',
  visibility: 'private',
  state: 'running',
  receivedBytes: 1_048_576,
  sizeBytes: 52_428_800,
  failure: null,
  createdAt: '2026-03-01T08:00:00.000Z',
}

const feedImport: FeedImport = {
  _id: '7cq2w9e4r1t6y8u0',
  url: 'https://media.example.org/feeds/glaciers.xml',
  title: 'Glaciers',
  visibility: 'private',
  isPaused: false,
  checkedAt: '2026-03-01T09:00:00.000Z',
  nextCheckAt: '2026-03-01T10:00:00.000Z',
  failure: null,
  importedCount: 4,
  waitingCount: 0,
  createdAt: '2026-03-01T08:00:00.000Z',
}

export const importExamples = [
  example(getAccountImport, { data: accountImport }),
  example(createAccountImport, {
    body: { uploadId: videoId },
    data: {
      ...accountImport,
      state: 'running',
      progress: 0,
      format: null,
      report: { counts: [], problems: [], moreProblems: 0 },
    },
  }),
  example(deleteAccountImport, { data: null }),
  example(listVideoImports, { data: [videoImport] }),
  example(createVideoImport, {
    body: { url: videoImport.url },
    data: { ...videoImport, state: 'waiting', receivedBytes: 0, sizeBytes: null },
  }),
  example(deleteVideoImport, { params: { importId: videoImport._id }, data: null }),
  example(listFeedImports, { data: [feedImport] }),
  example(createFeedImport, {
    body: { url: feedImport.url, importsExisting: true },
    data: { ...feedImport, title: null, checkedAt: null, importedCount: 0 },
  }),
  example(updateFeedImport, {
    params: { feedId: feedImport._id },
    body: { isPaused: true },
    data: { ...feedImport, isPaused: true, nextCheckAt: null },
  }),
  example(deleteFeedImport, { params: { feedId: feedImport._id }, data: null }),
]
