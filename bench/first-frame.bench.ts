import { createReadStream, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { makeClip, picture, startProduct, type Product } from './product.ts'
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

/** Time that users take at least to fill in the form. */
const formMs = 2000

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

interface UploadTimes {
  /** Time from the last byte of the video to the URL of its page. */
  respondedMs: number
  /** Time from that URL to the first frame. */
  playMs: number
}

/** Times that a page records, in milliseconds since the start of its navigation. */
interface Seen {
  lastByteAt: number
  watchAt: number
  firstFrameAt: number
}

/** A page in a fresh browser that records when it sent the last byte and showed the first frame. */
async function openRecordingPage(visitors: Browser, cookie = '', url = ''): Promise<Page> {
  const context = await visitors.newContext({ viewport: { width: 1440, height: 900 } })
  const cookies = cookie.split('; ').filter((pair) => pair !== '')
  await context.addCookies(
    cookies.map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2)
      return { name, value, url }
    }),
  )
  const page = await context.newPage()
  await page.addInitScript(() => {
    const seen: Seen = { lastByteAt: 0, watchAt: 0, firstFrameAt: 0 }
    Object.assign(globalThis, { seen })
    const send = XMLHttpRequest.prototype.send
    XMLHttpRequest.prototype.send = function recordLastByte(body) {
      if (body) this.upload.addEventListener('load', () => (seen.lastByteAt = performance.now()))
      send.call(this, body)
    }
    const replaceState = history.replaceState.bind(history)
    history.replaceState = (data, unused, address) => {
      replaceState(data, unused, address)
      if (location.pathname.startsWith('/video/')) seen.watchAt ||= performance.now()
    }
    const recordFirstFrame = () => (seen.firstFrameAt ||= performance.now())
    const awaitFrame = ({ target }: Event) => {
      if (target instanceof HTMLVideoElement) target.requestVideoFrameCallback(recordFirstFrame)
    }
    // Captures events of elements in the document only.
    for (const type of ['loadstart', 'play']) addEventListener(type, awaitFrame, true)
    // A video that is decoded before it is attached shows its first frame with the next rendering and fires no event.
    const arrivals = new MutationObserver(() => {
      const video = document.querySelector('video')
      if (!video || video.readyState < video.HAVE_CURRENT_DATA) return
      arrivals.disconnect()
      requestAnimationFrame(() => void scheduler.postTask(recordFirstFrame, { priority: 'user-blocking' }))
    })
    arrivals.observe(document, { childList: true, subtree: true })
  })
  return page
}

async function untilFirstFrame(page: Page): Promise<Seen> {
  const isShown = () => (globalThis as unknown as { seen: Seen }).seen.firstFrameAt > 0
  await page.waitForFunction(isShown, undefined, { timeout: 120_000 })
  return page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen)
}

async function waitForRaw(visitors: Browser, url: string): Promise<number> {
  const page = await openRecordingPage(visitors)
  await page.goto(url)
  const { firstFrameAt } = await untilFirstFrame(page)
  await page.context().close()
  return firstFrameAt
}

async function uploadAndWait(
  visitors: Browser,
  { url, cookie, username, untilPrepared }: Product,
  { file, thumbnail, title }: { file: string; thumbnail: string; title: string },
): Promise<UploadTimes> {
  const page = await openRecordingPage(visitors, cookie, url)
  await page.goto(`${url}/c/${username}/dashboard/upload`)
  const form = page.getByRole('dialog', { name: 'Upload video' })
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('Description').fill(title)
  await form.getByLabel('Video').setInputFiles(file)
  await form.getByLabel('Thumbnail').setInputFiles(thumbnail)
  await page.waitForTimeout(formMs)
  await form.getByRole('button', { name: 'Upload', exact: true }).click()
  const { lastByteAt, watchAt, firstFrameAt } = await untilFirstFrame(page)
  const { pathname } = new URL(page.url())
  await page.context().close()
  await untilPrepared(pathname.replace('/video/', ''))
  return { respondedMs: watchAt - lastByteAt, playMs: firstFrameAt - watchAt }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
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
