import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { chromiumPath } from '../scripts/chromium-path.ts'
import { listScreens, type Screen, type Subjects } from './fixtures/screens.ts'

/**
 * Saves screenshots of every screen of a running site, in both themes and at five widths, to `screenshots/`:
 *
 *   BASE_URL=http://127.0.0.1:3000 SIGN_IN=test@kinora.example:password npm run screenshots
 *
 * Without SIGN_IN, only screens for visitors. Arguments select screenshots whose names contain one of them:
 * `watch`, `390-dark`. The only change to the site is the watch history of the account. The test account of
 * `npm run demo` cannot be deleted; use another one for the screens of account deletion.
 */
const root = join(import.meta.dirname, '..')
const directory = join(root, 'screenshots')
const baseURL = process.env.BASE_URL || 'http://127.0.0.1:3000'
const widths = [320, 390, 768, 1440, 2560]
const themes = ['light', 'dark']
/** Narrower screens emulate touch without hover. */
const touchBelow = 640

/** Pages mostly wait for the network, so several run at once. */
const CONCURRENCY = 3

type Session = Awaited<ReturnType<BrowserContext['storageState']>>

async function main(wanted: string[]): Promise<void> {
  mkdirSync(directory, { recursive: true })
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  })
  try {
    const { subjects, session } = await findSubjects(browser)
    const shots = listScreens(subjects)
      .flatMap((screen) => themes.flatMap((theme) => widths.map((width) => ({ screen, theme, width }))))
      .filter(({ screen, width }) => screen.widths?.includes(width) ?? true)
      .map((shot) => ({ ...shot, name: `${shot.screen.name}-${shot.width}-${shot.theme}` }))
      .filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
    const failed: string[] = []
    // The loops share one iterator: each takes the next screenshot when it has finished one.
    const waiting = shots.values()
    const take = async () => {
      for (const shot of waiting) {
        try {
          await takeScreenshots(browser, shot, session)
        } catch (error) {
          failed.push(shot.name)
          console.error(`${shot.name}: ${String(error)}`)
        }
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, take))
    console.log(`${shots.length - failed.length} shots are in ${directory}`)
    if (failed.length > 0) process.exitCode = 1
  } finally {
    await browser.close()
  }
}

/** Finds the content to show, and signs in. */
async function findSubjects(browser: Browser): Promise<{ subjects: Subjects; session: Session | undefined }> {
  const context = await browser.newContext({ baseURL })
  const { data } = await getJson<{ data: { _id: string; videoOwner: { username: string } }[] }>(
    context,
    '/api/v1/video/all?limit=1',
  )
  const [newest] = data
  const video = newest && { id: newest._id, owner: newest.videoOwner.username }
  const username = process.env.SIGN_IN ? await signIn(context, process.env.SIGN_IN) : undefined
  const session = username === undefined ? undefined : await context.storageState()
  const me = username === undefined ? undefined : { username, videoId: await newestVideo(context, username) }
  await context.close()
  return { subjects: { video, me }, session }
}

async function newestVideo(context: BrowserContext, username: string): Promise<string | undefined> {
  const own = await getJson<{ data: { userVideos: { _id: string }[] } }>(
    context,
    `/api/v1/users/videos/${encodeURIComponent(username)}`,
  )
  return own.data.userVideos[0]?._id
}

async function takeScreenshots(
  browser: Browser,
  { name, screen, theme, width }: { name: string; screen: Screen; theme: string; width: number },
  session: Session | undefined,
): Promise<void> {
  const height = { 320: 640, 390: 844, 768: 1024, 1440: 900 }[width] ?? 1300
  const isPhone = width < touchBelow
  const context = await browser.newContext({
    baseURL,
    viewport: { width, height },
    isMobile: isPhone,
    hasTouch: isPhone,
    ...(session && !screen.asVisitor && { storageState: session }),
  })
  try {
    context.setDefaultTimeout(30_000)
    await context.addInitScript({ content: `localStorage.setItem('theme', '${theme}')` })
    const page = await context.newPage()
    const { path, held, given, act } = screen
    if (held !== undefined) await page.route(held, () => {})
    await given?.(page)
    await page.goto(path)
    const shown = held === undefined ? 'main :is(h1, article, [role=alert], p), dialog, video' : 'main'
    await page.locator(shown).first().waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => {})
    await act?.(page)
    await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => {})
    await page.evaluate(untilStill)
    await page.screenshot({ path: join(directory, `${name}.png`) })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  } finally {
    await context.close()
  }
}

/** Waits until visible images are decoded and finite animations have finished. */
async function untilStill() {
  const isSeen = (image: HTMLImageElement) => {
    const { top, bottom } = image.getBoundingClientRect()
    return bottom > 0 && top < innerHeight
  }
  const decoded = [...document.images].filter(isSeen).map((image) => image.decode().catch(() => {}))
  const moving = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    .map((animation) => animation.finished.catch(() => {}))
  const timeout = new Promise((resolve) => setTimeout(resolve, 15_000))
  await Promise.race([Promise.all([...decoded, ...moving]), timeout])
}

/** Signs in with `email:password` and returns the username. */
async function signIn(context: BrowserContext, account: string): Promise<string> {
  const [, email = '', password = ''] = /^([^:]+):(.*)$/.exec(account) ?? []
  const response = await context.request.post('/api/v1/users/login', { form: { email, password } })
  if (!response.ok()) throw new Error(`Signing in as ${email} returned ${response.status()}`)
  return (await getJson<{ data: { username: string } }>(context, '/api/v1/users/currentuser')).data.username
}

async function getJson<T>(context: BrowserContext, path: string): Promise<T> {
  const response = await context.request.get(path)
  if (!response.ok()) throw new Error(`${path} returned ${response.status()}`)
  // The contract guarantees the shape; only the fields read here matter.
  return (await response.json()) as T
}

await main(process.argv.slice(2))
