import { join } from 'node:path'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { LocalStorage } from '@kinora/platform/storage/local.ts'
import type { Product } from '../product.ts'
import { clip } from './clips.ts'
import { atMost, type Part, round } from './goals.ts'
import { segmentUrl, untilIdle, withSite } from './site.ts'

/** One in ten is watched; twice as many of the same clip would give the same ratio. */
const UPLOADS = 50
const WATCHED = 5
const CLIP_SECONDS = 90
const GOAL = 1.2

/**
 * Disk usage of segments if one video in ten is watched over a slow connection (the passthrough rendition stores
 * nothing) with PREPARE_POLICY=popular.
 */
export const measureStored: Part = () =>
  withSite('popular', async (site) => {
    const path = clip('small.mp4', CLIP_SECONDS)
    for (let upload = 0; upload < UPLOADS; upload += 1) {
      const { video } = await site.upload(path, `stored ${upload}`)
      if (upload < WATCHED) await watch(site, video)
    }
    await untilIdle(site)
    const bytes = { sources: 0, segments: 0 }
    const storage = new LocalStorage(join(site.dataDir, 'storage'))
    for (const prefix of ['sources', 'segments'] as const) {
      for await (const { sizeBytes } of storage.list(`${prefix}/`)) bytes[prefix] += sizeBytes
    }
    const ratio = round((bytes.sources + bytes.segments) / bytes.sources, 3)
    const row = {
      uploads: UPLOADS,
      watched: WATCHED,
      'of seconds': CLIP_SECONDS,
      'uploaded, MB': round(bytes.sources / 1e6),
      'made, MB': round(bytes.segments / 1e6),
      'stored / uploaded': ratio,
    }
    return { rows: [row], goals: [atMost('bytes stored, of those uploaded', GOAL, ratio)] }
  })

/** Requests every segment of 360p in order, and retries those that are late. */
async function watch(site: Product, video: Video): Promise<void> {
  const playlist = await (await fetch(segmentUrl(site, video, '360', 'index.m3u8'))).text()
  const segments = playlist.match(/^\d+\.m4s$/gm) ?? []
  if (segments.length === 0) throw new Error('The clip has no 360p to watch')
  for (const file of segments) {
    while (!(await fetch(segmentUrl(site, video, '360', file))).ok) continue
  }
}
