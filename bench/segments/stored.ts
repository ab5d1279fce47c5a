import { join } from 'node:path'
import type { Video } from '@kinora/contract/videos.ts'
import { LocalStorage } from '../../server/src/platform/storage/local.ts'
import type { Product } from '../product.ts'
import { film } from './films.ts'
import { atMost, type Part, round } from './goals.ts'
import { segmentUrl, untilIdle, withSite } from './site.ts'

/** One in ten is watched; twice as many of the same film would give the same ratio. */
const UPLOADS = 50
const WATCHED = 5
const FILM_SECONDS = 90
const GOAL = 1.2

/**
 * What is on disk besides the uploads themselves, where one film in ten is watched, each by somebody with a slow
 * connection (the uploaded bits themselves would leave nothing behind), and the policy is `popular`.
 */
export const measureStored: Part = () =>
  withSite('popular', async (site) => {
    const path = film('small.mp4', FILM_SECONDS)
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
      'of seconds': FILM_SECONDS,
      'uploaded, MB': round(bytes.sources / 1e6),
      'made, MB': round(bytes.segments / 1e6),
      'stored / uploaded': ratio,
    }
    return { rows: [row], goals: [atMost('bytes stored, of those uploaded', GOAL, ratio)] }
  })

/** Asks for every segment of 360p in order, and again for those that are late. */
async function watch(site: Product, video: Video): Promise<void> {
  const playlist = await (await fetch(segmentUrl(site, video, '360', 'index.m3u8'))).text()
  const segments = playlist.match(/^\d+\.m4s$/gm) ?? []
  if (segments.length === 0) throw new Error('The film has no 360p to watch')
  for (const file of segments) {
    while (!(await fetch(segmentUrl(site, video, '360', file))).ok) continue
  }
}
