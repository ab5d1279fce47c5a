import { rmSync } from 'node:fs'
import { firstFrameOfStream, launchBrowser, openPlayerPage } from '../browser.ts'
import type { Row } from '../report.ts'
import { film, type Film } from './films.ts'
import { atMost, type Part, round } from './goals.ts'
import { deleteVideo, withSite } from './site.ts'

/** What browsers play they get as it was uploaded, anything else at its full height. */
const codecs: [codec: string, film: Film, rung: 'source' | '720', goalMs: number][] = [
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

/** From the last byte of an upload to the first frame in a browser, with nothing made before. */
export const measureFirstFrames: Part = () =>
  withSite('none', async (site) => {
    const browser = await launchBrowser()
    const rows: Row[] = []
    const goals = []
    for (const [codec, name, rendition, goalMs] of codecs) {
      for (const [length, seconds] of lengths) {
        const file = film(name, seconds)
        const page = await openPlayerPage(browser, site.url)
        const { video, lastByteAt, answeredAt } = await site.upload(file, codec)
        const playMs = await firstFrameOfStream(page, video.streamUrl, rendition)
        const allMs = round(answeredAt - lastByteAt + playMs)
        rows.push({
          codec,
          length,
          rung: rendition,
          'answered, ms': round(answeredAt - lastByteAt),
          'then first frame, ms': round(playMs),
          'in all, ms': allMs,
          'goal, ms': goalMs,
        })
        goals.push(atMost(`first frame of ${codec}, ${length}, ms`, goalMs, allMs))
        await page.context().close()
        // what would still be made of it is no part of the next one
        await deleteVideo(site, video)
        if (seconds > 1000) rmSync(file)
      }
    }
    await browser.close()
    return { rows, goals }
  })
