import type { Browser, Page } from 'playwright-core'
import type { Product } from './product.ts'

/** Time that users take at least to fill in the form. */
const formMs = 2000

/** Times of an upload in a browser, in milliseconds. */
export interface UploadTimes {
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
export async function openRecordingPage(visitors: Browser, cookie = '', url = ''): Promise<Page> {
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

/** The times of a page, once it has shown a frame. */
export async function untilFirstFrame(page: Page): Promise<Seen> {
  const isShown = () => (globalThis as unknown as { seen: Seen }).seen.firstFrameAt > 0
  await page.waitForFunction(isShown, undefined, { timeout: 120_000 })
  return page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen)
}

/** An upload in a fresh browser, until its first frame is on the screen and the video is prepared. */
export async function uploadAndWait(
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

/** The middle one of some values. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
