import {
  createVideoImport,
  deleteVideoImport,
  listVideoImports,
  type VideoImport,
} from '../portability/video-imports.ts'
import { example } from './example.ts'

const videoImport: VideoImport = {
  _id: '3kd8s0q1v7m2xz4c',
  url: 'https://media.example.org/videos/glacier.mp4',
  title: 'glacier',
  visibility: 'private',
  state: 'running',
  receivedBytes: 1_048_576,
  sizeBytes: 52_428_800,
  failure: null,
  cause: null,
  createdAt: '2026-03-01T08:00:00.000Z',
}

export const videoImportExamples = [
  example(listVideoImports, { data: [videoImport] }),
  example(createVideoImport, {
    body: { url: videoImport.url },
    data: { ...videoImport, state: 'waiting', receivedBytes: 0, sizeBytes: null },
  }),
  example(deleteVideoImport, { params: { importId: videoImport._id }, data: null }),
]
