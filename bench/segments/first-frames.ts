import { rmSync } from 'node:fs'
import { firstFrameOfStream, launchBrowser, openPlayerPage } from '../browser.ts'
import type { Row } from '../report.ts'
import { clip, type Clip } from './clips.ts'
import { atMost, type Part, round } from './goals.ts'
import { deleteVideo, withSite } from './site.ts'

/** Codecs that browsers play use the passthrough rendition; others are encoded at full height. */
const codecs: [codec: string, clip: Clip, rendition: 'source' | '720', goalMs: number][] = [
  ['H.264/AAC mp4', 'h264.mp4', 'source', 1000],
  ['VP9/Opus webm', 'vp9.webm', 'source', 1000],
  ['HEVC/AAC mp4', 'hevc.mp4', '720', 3000],
  ['Theora/Vorbis ogv', 'theora.ogv', '720', 3000],
]
const lengths: [length: string, seconds: number][] = [
  ['10 s', 10],
  ['10 min', 600],
  ['2 h', 7200],
]

/** Time from the last byte of an upload to the first frame in a browser, without preparation. */
export const measureFirstFrames: Part = () =>
  withSite('none', async (site) => {
    const browser = await launchBrowser()
    const rows: Row[] = []
    const goals = []
    for (const [codec, name, rendition, goalMs] of codecs) {
      for (const [length, seconds] of lengths) {
        const file = clip(name, seconds)
        const page = await openPlayerPage(browser, site.url)
        const { video, lastByteAt, respondedAt } = await site.upload(file, codec)
        const playMs = await firstFrameOfStream(page, video.streamUrl, rendition)
        const allMs = round(respondedAt - lastByteAt + playMs)
        rows.push({
          codec,
          length,
          rendition: rendition,
          'responded, ms': round(respondedAt - lastByteAt),
          'then first frame, ms': round(playMs),
          'in all, ms': allMs,
          'goal, ms': goalMs,
        })
        goals.push(atMost(`first frame of ${codec}, ${length}, ms`, goalMs, allMs))
        await page.context().close()
        // pending jobs must not affect the next measurement
        await deleteVideo(site, video)
        if (seconds > 1000) rmSync(file)
      }
    }
    await browser.close()
    return { rows, goals }
  })
