import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { chromiumPath } from '../scripts/chromium-path.ts'
import { listScreens, type Screen, type Subjects } from './fixtures/screens.ts'

/**
 * Pictures of every screen of a running site, in both themes and on five widths, into `screenshots/`:
 *
 *   BASE_URL=http://127.0.0.1:3000 SIGN_IN=test@kinora.example:password npm run screenshots
 *
 * Without SIGN_IN only what visitors see. Words after the command choose the pictures whose names contain one
 * of them: `watch`, `390-dark`. Nothing on the site is changed but the history of who is signed in. The test account
 * of `npm run demo` cannot be deleted: for the pictures of that question take another one.
 */
const root = join(import.meta.dirname, '..')
const directory = join(root, 'screenshots')
const baseURL = process.env.BASE_URL || 'http://127.0.0.1:3000'
const widths = [320, 390, 768, 1440, 2560]
const themes = ['light', 'dark']
/** Below this there are fingers, and no pointer that hovers. */
const touchBelow = 640

/** A page mostly waits. */
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
    const pictures = listScreens(subjects)
      .flatMap((screen) => themes.flatMap((theme) => widths.map((width) => ({ screen, theme, width }))))
      .filter(({ screen, width }) => screen.widths?.includes(width) ?? true)
      .map((picture) => ({ ...picture, name: `${picture.screen.name}-${picture.width}-${picture.theme}` }))
      .filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
    const failed: string[] = []
    // One iterator for all: each takes the next picture when it is done with one.
    const waiting = pictures.values()
    const take = async () => {
      for (const picture of waiting) {
        try {
          await takeScreenshots(browser, picture, session)
        } catch (error) {
          failed.push(picture.name)
          console.error(`${picture.name}: ${String(error)}`)
        }
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, take))
    console.log(`${pictures.length - failed.length} pictures are in ${directory}`)
    if (failed.length > 0) process.exitCode = 1
  } finally {
    await browser.close()
  }
}

/** What there is to look at, and the session of who is to sign in. */
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

/** The pictures on the screen have come and are decoded, and nothing moves any more but what never rests. */
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
  const patience = new Promise((resolve) => setTimeout(resolve, 15_000))
  await Promise.race([Promise.all([...decoded, ...moving]), patience])
}

/** Signs in with `email:password` and answers who that is. */
async function signIn(context: BrowserContext, account: string): Promise<string> {
  const [, email = '', password = ''] = /^([^:]+):(.*)$/.exec(account) ?? []
  const answer = await context.request.post('/api/v1/users/login', { form: { email, password } })
  if (!answer.ok()) throw new Error(`Signing in as ${email} answered ${answer.status()}`)
  return (await getJson<{ data: { username: string } }>(context, '/api/v1/users/currentuser')).data.username
}

async function getJson<T>(context: BrowserContext, path: string): Promise<T> {
  const answer = await context.request.get(path)
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}`)
  // The shape is the contract's; a picture does not depend on more of it than is read here.
  return (await answer.json()) as T
}

await main(process.argv.slice(2))
