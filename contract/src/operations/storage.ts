import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const auth = 'required'
const role = 'administrator'

const Bytes = z.number().int()

export const LargeVideo = z.object({
  _id: z.string(),
  title: z.string(),
  owner: z.string().describe('Username.'),
  bytes: Bytes.describe('Size of the uploaded file.'),
})
export type LargeVideo = z.infer<typeof LargeVideo>

export const StorageUse = z.object({
  sourceBytes: Bytes.describe('Uploaded files.'),
  captionsBytes: Bytes,
  databaseBytes: Bytes,
  isEstimated: z
    .literal(true)
    .optional()
    .describe('The sizes of files and captions are estimates, because the site is large.'),
  measurement: z
    .object({
      pictureBytes: Bytes,
      segmentBytes: Bytes.describe('The cache: encoded segments, which can be encoded again.'),
      freedBytes: Bytes.describe('What the last measurement evicted before.'),
      measuredAt: z.iso.datetime(),
    })
    .nullable()
    .describe('Added up by a job every six hours; null before the first time.'),
  isMeasuring: z.boolean().describe('Whether that job waits or runs.'),
  disk: z.object({ freeBytes: Bytes, totalBytes: Bytes }).describe('The disk of `DATA_DIR`.'),
  isInBucket: z.boolean().describe('Whether files are in a bucket instead of on that disk.'),
  cacheMaxBytes: Bytes.nullable().describe('Size at which the cache is evicted; null without one.'),
  cacheMaxDiskPercent: z.number().int().describe('Use of the disk at which the cache is evicted.'),
  largest: z.array(LargeVideo).describe('The 20 largest videos.'),
})
export type StorageUse = z.infer<typeof StorageUse>

export const getStorageUse = endpoint({
  name: 'getStorageUse',
  tag: 'storage',
  summary: 'Sizes of what the site stores, and its largest videos',
  method: 'GET',
  path: '/administration/storage',
  auth,
  role,
  result: StorageUse,
  message: 'Storage',
})

export const freeSpace = endpoint({
  name: 'freeSpace',
  tag: 'storage',
  summary: 'Starts a job that evicts what the cache holds above its limits, and measures the storage',
  method: 'POST',
  path: '/administration/storage/free',
  auth,
  role,
  result: z.null(),
  message: 'Freeing space',
})
