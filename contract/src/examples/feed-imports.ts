import {
  createFeedImport,
  deleteFeedImport,
  listFeedImports,
  updateFeedImport,
  type FeedImport,
} from '../portability/feed-imports.ts'
import { example } from './example.ts'

const feedImport: FeedImport = {
  _id: '7cq2w9e4r1t6y8u0',
  url: 'https://media.example.org/feeds/glaciers.xml',
  title: 'Glaciers',
  visibility: 'private',
  isPaused: false,
  checkedAt: '2026-03-01T09:00:00.000Z',
  nextCheckAt: '2026-03-01T10:00:00.000Z',
  failure: null,
  cause: null,
  importedCount: 4,
  waitingCount: 0,
  createdAt: '2026-03-01T08:00:00.000Z',
}

export const feedImportExamples = [
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
