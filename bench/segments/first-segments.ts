import type { Row } from '../report.ts'
import { clip } from './clips.ts'
import { type Part, percentile, round } from './goals.ts'
import { segmentUrl, untilIdle, withSite } from './site.ts'

const segments = [4, 6, 8, 10, 12]

/** Time to encode missing four-second segments of HEVC at 720p, one after the other. */
export const measureFirstSegments: Part = () =>
  withSite('none', async (site) => {
    const { video } = await site.upload(clip('hevc.mp4', 60), 'first segments')
    await untilIdle(site)
    const rows: Row[] = []
    for (const rendition of ['240', '360', '480', '720']) {
      const times: number[] = []
      const sizes: number[] = []
      for (const index of segments) {
        const startedAt = performance.now()
        const response = await fetch(segmentUrl(site, video, rendition, `${index}.m4s`))
        if (!response.ok) throw new Error(`Segment ${index} of ${rendition} returned ${response.status}`)
        sizes.push((await response.arrayBuffer()).byteLength)
        times.push(performance.now() - startedAt)
      }
      rows.push({
        rendition: rendition,
        'middle of five, ms': round(percentile(times, 0.5)),
        'slowest, ms': round(Math.max(...times)),
        kB: round(percentile(sizes, 0.5) / 1000),
      })
    }
    return { rows, goals: [] }
  })
