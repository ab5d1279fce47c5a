import { get } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { auditPage } from './lighthouse.ts'
import { makeClip, startProduct } from './product.ts'
import { report, type Row } from './report.ts'

/**
 * Transferred bytes and time to first paint and playback in a fresh browser, against the site's budgets. PeerTube's watch
 * page, measured in the same way, sends 1,082 kB of scripts and plays after 1,147 ms. Then Lighthouse's mobile profile on
 * a site with videos; the goal is 95 of 100.
 */
const VISITS = 7
const LIGHTHOUSE_RUNS = 3
const SLOW_VISITS = 3
/** 400 kbit/s and 400 ms. */
const slowLine = { offline: false, latency: 400, downloadThroughput: 50e3, uploadThroughput: 50e3 }
const SLOW_GOAL_MS = 3000
const FURTHER_VIDEOS = 24
const budgets = {
  home: { scriptsKb: 143, firstPaintMs: 300, shift: 0.02 },
  watch: { scriptsKb: 310, firstPaintMs: 300, playingMs: 700, shift: 0.02 },
}

const directory = mkdtempSync(join(tmpdir(), 'kinora-page-'))
const product = await startProduct({
  REQUESTS_PER_MINUTE: '1000000',
  VIEWS_PER_MINUTE: '100000',
  // preparation would affect the measurement
  PREPARE_POLICY: 'none',
})
const browser = await launchBrowser()
try {
  const clip = join(directory, 'clip.mp4')
  const codecs = '-c:v libx264 -preset veryfast -b:v 1400k -pix_fmt yuv420p -g 48 -c:a aac'
  makeClip(
    clip,
    `-f lavfi -i testsrc2=s=854x480:r=24:d=30 -f lavfi -i sine=d=30:r=48000 ${codecs} -movflags +faststart`,
  )
  const still = join(directory, 'still.png')
  makeClip(still, '-f lavfi -i mandelbrot=s=1280x720 -frames:v 1')
  const { video } = await product.upload(clip, 'A page that plays', still)
  const rows = [
    await measurePage(browser, 'home', '/'),
    await measurePage(browser, 'watch', `/video/${video._id}`),
  ]
  report('page', { visits: VISITS }, rows)
  report('page-slow', { visits: SLOW_VISITS }, [await measureSlowVisits(browser, `/video/${video._id}`)])

  const short = join(directory, 'short.mp4')
  makeClip(short, `-f lavfi -i testsrc2=s=640x360:r=24:d=4 ${codecs} -movflags +faststart`)
  for (let index = 1; index <= FURTHER_VIDEOS; index += 1)
    await product.upload(short, `A page that plays, number ${index}`, still)
  report('lighthouse', { runs: LIGHTHOUSE_RUNS }, [
    await auditPage('home', `${product.url}/`, LIGHTHOUSE_RUNS),
    await auditPage('watch', `${product.url}/video/${video._id}`, LIGHTHOUSE_RUNS),
    // Channels are for members.
    await auditPage(
      'channel',
      `${product.url}/c/${product.username}/videos`,
      LIGHTHOUSE_RUNS,
      product.cookie,
    ),
  ])
} finally {
  await browser.close()
  await product.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function measurePage(visitors: Browser, name: keyof typeof budgets, path: string): Promise<Row> {
  const visits: Visit[] = []
  for (let index = 0; index < VISITS; index += 1) visits.push(await visit(visitors, path, name === 'watch'))
  const best = (pick: (each: Visit) => number) => Math.round(Math.min(...visits.map(pick)))
  const middle = (pick: (each: Visit) => number) =>
    Math.round(visits.map(pick).toSorted((a, b) => a - b)[Math.floor(VISITS / 2)] ?? 0)
  const files = visits[0]?.files ?? []
  const scriptsKb = await gzipKb(files.filter((url) => url.endsWith('.js')))
  const stylesKb = await gzipKb(files.filter((url) => url.endsWith('.css')))
  const budget: { scriptsKb: number; firstPaintMs: number; playingMs?: number; shift: number } = budgets[name]
  return {
    page: name,
    'scripts, kB gzip': scriptsKb,
    'styles, kB gzip': stylesKb,
    'of at most, kB': budget.scriptsKb,
    'first paint, ms (best)': best((each) => each.firstPaintMs),
    'first paint, ms (middle)': middle((each) => each.firstPaintMs),
    'playing, ms (best)': best((each) => each.playingMs),
    'playing, ms (middle)': middle((each) => each.playingMs),
    'of at most, ms': budget.playingMs ?? budget.firstPaintMs,
    'layout shift': Math.round(Math.max(...visits.map((each) => each.shift)) * 10_000) / 10_000,
    'other origins': new Set(files.filter((url) => !url.startsWith(product.url))).size,
  }
}

/** When the title and the poster of a watch page are shown on a slow line. */
async function measureSlowVisits(visitors: Browser, path: string): Promise<Row> {
  const visits: Seen[] = []
  for (let index = 0; index < SLOW_VISITS; index += 1) visits.push(await visitSlowly(visitors, path))
  const middle = (pick: (each: Seen) => number) =>
    Math.round(visits.map(pick).toSorted((a, b) => a - b)[Math.floor(SLOW_VISITS / 2)] ?? 0)
  return {
    page: 'watch at 400 kbit/s, 400 ms',
    'title, ms (middle)': middle(({ titleMs }) => titleMs),
    'poster, ms (middle)': middle(({ posterMs }) => posterMs),
    'of at most, ms': SLOW_GOAL_MS,
  }
}

interface Seen {
  titleMs: number
  posterMs: number
}

async function visitSlowly(visitors: Browser, path: string): Promise<Seen> {
  const context = await visitors.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(() => {
    const seen = { titleMs: 0, posterMs: 0 }
    Object.assign(globalThis, { seen })
    const look = () => {
      const now = performance.now()
      if (document.querySelector('h1, [data-first-title]')?.textContent) seen.titleMs ||= now
      const isPoster = (image: HTMLImageElement) => image.naturalWidth > 0 && image.clientWidth > 500
      if (Array.from(document.images).some(isPoster)) seen.posterMs ||= now
      if (seen.titleMs === 0 || seen.posterMs === 0) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await (await context.newCDPSession(page)).send('Network.emulateNetworkConditions', slowLine)
  await page.goto(product.url + path, { waitUntil: 'commit', timeout: 60_000 })
  const seen = await page.waitForFunction(() => {
    const found = (globalThis as unknown as { seen: Seen }).seen
    return found.titleMs > 0 && found.posterMs > 0 ? found : null
  })
  const found = await seen.jsonValue()
  await context.close()
  if (!found) throw new Error('The page showed neither title nor poster')
  return found
}

interface Visit {
  files: string[]
  firstPaintMs: number
  playingMs: number
  shift: number
}

/** One visit by a browser without cache, cookies or storage. */
async function visit(visitors: Browser, path: string, plays: boolean): Promise<Visit> {
  const context = await visitors.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const files: string[] = []
  page.on('request', (request) => files.push(request.url()))
  await page.addInitScript(() => {
    const seen = { shift: 0, playingMs: 0 }
    Object.assign(globalThis, { seen })
    new PerformanceObserver((list) => {
      // A layout shift's value is not in the types of the DOM.
      for (const entry of list.getEntries())
        seen.shift += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    addEventListener('playing', () => (seen.playingMs ||= performance.now()), true)
  })
  await page.goto(product.url + path, { waitUntil: 'load' })
  if (plays) await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5)
  else await page.locator('article').first().waitFor()
  const found = await page.evaluate(() => ({
    ...(globalThis as unknown as { seen: { shift: number; playingMs: number } }).seen,
    firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  }))
  await context.close()
  return { files, ...found }
}

async function gzipKb(urls: string[]): Promise<number> {
  const sizes = await Promise.all([...new Set(urls)].map(gzipBytes))
  return Math.round(sizes.reduce((total, size) => total + size, 0) / 100) / 10
}

/** Returns the size of a response to a client that accepts gzip. */
function gzipBytes(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.once('end', () => resolve(bytes))
    }).once('error', reject)
  })
}
