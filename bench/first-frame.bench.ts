import { createReadStream, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { median, openRecordingPage, untilFirstFrame, uploadAndWait, type UploadTimes } from './first-frame.ts'
import { makeClip, picture, startProduct } from './product.ts'
import { report, type Row } from './report.ts'

/**
 * Time from the last byte of an upload to the first frame on the screen, in a fresh browser that fills in the upload
 * form. Compared with the same file on a static page, from the request to the first frame. Alternating rounds, medians.
 * The index of every file is at its end. Each round waits for preparation to end, so that it does not affect the next.
 */
const sizes = [
  { name: '10 MB', bytes: 10e6, rounds: 15 },
  { name: '1 GB', bytes: 1e9, rounds: 3 },
]

const directory = mkdtempSync(join(tmpdir(), 'kinora-first-frame-'))
const product = await startProduct({ PREPARE_POLICY: 'none' })
const browser = await launchBrowser()
const raw = await serveRaw(directory)
try {
  const thumbnail = join(directory, 'thumbnail.png')
  writeFileSync(thumbnail, await picture())
  const clip = makeSourceClip()
  const rows: Row[] = []
  for (const { name, bytes, rounds } of sizes) {
    const file = join(directory, `${bytes}.mp4`)
    makeClip(file, `-stream_loop ${Math.ceil(bytes / statSync(clip).size) - 1} -i ${clip} -c copy`)
    const seen: { rawMs: number; ours: UploadTimes }[] = []
    for (let round = 0; round < rounds; round += 1) {
      const rawMs = await waitForRaw(browser, `${raw.url}/${bytes}`)
      seen.push({ rawMs, ours: await uploadAndWait(browser, product, { file, thumbnail, title: name }) })
    }
    const rawMs = median(seen.map((each) => each.rawMs))
    const inAllMs = median(seen.map(({ ours }) => ours.respondedMs + ours.playMs))
    rows.push({
      source: name,
      rounds,
      'raw, ms': Math.round(rawMs),
      'response after the last byte, ms': Math.round(median(seen.map(({ ours }) => ours.respondedMs))),
      'then first frame, ms': Math.round(median(seen.map(({ ours }) => ours.playMs))),
      'in all, ms': Math.round(inAllMs),
      'of raw': Math.round((inAllMs / rawMs) * 100) / 100,
      'peak memory of web, MB': product.peakMemoryMb('web'),
      'of its reader, MB': product.peakMemoryMb('reader'),
    })
  }
  report('first-frame', {}, rows)
} finally {
  await browser.close()
  raw.server.close()
  await product.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function waitForRaw(visitors: Browser, url: string): Promise<number> {
  const page = await openRecordingPage(visitors)
  await page.goto(url)
  const { firstFrameAt } = await untilFirstFrame(page)
  await page.context().close()
  return firstFrameAt
}

/** Thirty seconds at 1.4 Mbit/s, to be repeated. */
function makeSourceClip(): string {
  const clip = join(directory, 'clip.mp4')
  const inputs = '-f lavfi -i testsrc2=s=854x480:r=24:d=30,noise=alls=12:allf=t -f lavfi -i sine=d=30:r=48000'
  const codecs =
    '-c:v libx264 -preset veryfast -b:v 1400k -maxrate 1600k -bufsize 3000k -pix_fmt yuv420p -g 48'
  makeClip(clip, `${inputs} ${codecs} -c:a aac`)
  return clip
}

/** Files by byte ranges, and for each a page that plays it. */
async function serveRaw(root: string): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    if (existsSync(join(root, `${path}.mp4`))) {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(`<!doctype html><title>Raw</title><video src="${path}.mp4" autoplay muted></video>`)
      return
    }
    const file = join(root, path)
    if (!path.endsWith('.mp4') || !existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    const { size } = statSync(file)
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const [start, end] = [Number(from), to === '' ? size - 1 : Number(to)]
    response.writeHead(request.headers.range ? 206 : 200, {
      'accept-ranges': 'bytes',
      'content-type': 'video/mp4',
      'content-length': end - start + 1,
      'content-range': `bytes ${start}-${end}/${size}`,
    })
    createReadStream(file, { start, end }).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
