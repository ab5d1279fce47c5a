import type { Video } from '@kinora/contract/videos/videos.ts'
import type { Product } from '../product.ts'
import type { Row } from '../report.ts'
import { clip } from './clips.ts'
import { atMost, type Part, percentile, round } from './goals.ts'
import { segmentUrl, untilIdle, withSite } from './site.ts'

const CLIP_SECONDS = 160
const SEGMENT_MS = 4000
/** Number of concurrent viewers, and of seeks of each. */
const loads: [viewers: number, seeks: number][] = [
  [1, 16],
  [4, 8],
  [16, 4],
]
const GOAL_VIEWERS = 4

/**
 * Concurrent viewers seek randomly, each in their own video, and wait for missing segments: four seconds of 480p from
 * HEVC at 720p.
 */
export const measureWaits: Part = () =>
  withSite('none', async (site) => {
    const path = clip('hevc.mp4', CLIP_SECONDS)
    const viewers = []
    for (let viewer = 0; viewer < Math.max(...loads.map(([count]) => count)); viewer += 1) {
      const { video } = await site.upload(path, `viewer ${viewer}`)
      viewers.push({ video, segments: shuffledSegments() })
    }
    await untilIdle(site)
    const rows: Row[] = []
    const goals = []
    for (const [count, seeks] of loads) {
      const startedAt = performance.now()
      const waits = await Promise.all(
        viewers.slice(0, count).map(({ video, segments }) => seek(site, video, segments.splice(0, seeks))),
      )
      const seconds = (performance.now() - startedAt) / 1000
      const all = waits.flat()
      const p95 = round(percentile(all, 0.95))
      rows.push({
        viewers: count,
        seeks: all.length,
        'p50, ms': round(percentile(all, 0.5)),
        'p95, ms': p95,
        'a segment plays, ms': SEGMENT_MS,
        'segments each second': round(all.length / seconds, 1),
      })
      if (count === GOAL_VIEWERS)
        goals.push(atMost(`wait of ${count} seeking viewers, p95, ms`, SEGMENT_MS, p95))
    }
    return { rows, goals }
  })

/** All segments of a clip except the first two, which are prepared, in random order. */
function shuffledSegments(): number[] {
  const segments = Array.from({ length: CLIP_SECONDS / (SEGMENT_MS / 1000) - 2 }, (_, index) => index + 2)
  return segments
    .map((segment) => ({ segment, rank: Math.random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ segment }) => segment)
}

/** Returns the wait for each segment in ms; Infinity for one that did not arrive. */
async function seek(site: Product, video: Video, segments: number[]): Promise<number[]> {
  const waits: number[] = []
  for (const segment of segments) {
    const startedAt = performance.now()
    const response = await fetch(segmentUrl(site, video, '480', `${segment}.m4s`))
    await response.arrayBuffer()
    waits.push(response.ok ? performance.now() - startedAt : Number.POSITIVE_INFINITY)
  }
  return waits
}
