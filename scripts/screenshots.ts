import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { chromiumPath } from './chromium-path.ts'

/**
 * Pictures of every screen of a running site, in both themes and on five widths, into `screenshots/`:
 *
 *   BASE_URL=http://127.0.0.1:3000 SIGN_IN=test@kinora.example:password npm run screenshots
 *
 * Without SIGN_IN only what visitors see. Words after the command choose the pictures whose names contain one
 * of them: `watch`, `390-dark`.
 */
const root = join(import.meta.dirname, '..')
const directory = join(root, 'screenshots')
const baseURL = process.env.BASE_URL || 'http://127.0.0.1:3000'
const widths = [320, 390, 768, 1440, 2560]
const themes = ['light', 'dark']

interface Screen {
  name: string
  path: string
  /** A call that is held, to see what is shown meanwhile. */
  held?: string
  /** The only width on which there is such a thing. */
  width?: number
  /** What a person does before looking. */
  act?: (page: Page) => Promise<unknown>
}

async function main(wanted: string[]): Promise<void> {
  mkdirSync(directory, { recursive: true })
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  })
  try {
    const screens = await listScreens(browser)
    const pictures = themes
      .flatMap((theme) => widths.flatMap((width) => screens.map((screen) => ({ screen, theme, width }))))
      .filter(({ screen, width }) => (screen.width ?? width) === width)
      .map((picture) => ({ ...picture, name: `${picture.screen.name}-${picture.width}-${picture.theme}` }))
      .filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
    for (const { name, screen, theme, width } of pictures) await shoot(browser, name, screen, theme, width)
    console.log(`${pictures.length} pictures are in ${directory}`)
  } finally {
    await browser.close()
  }
}

async function listScreens(browser: Browser): Promise<Screen[]> {
  const context = await newContext(browser)
  const { data } = await getJson<{ data: { _id: string; videoOwner: { username: string } }[] }>(
    context,
    '/api/v1/video/all?limit=1',
  )
  const screens: Screen[] = [
    { name: 'home', path: '/' },
    {
      name: 'home-hover',
      path: '/',
      act: (page) => page.locator('article').nth(1).locator('img').first().hover(),
    },
    { name: 'home-loading', path: '/', held: '**/api/v1/video/all*' },
    { name: 'home-end', path: '/', act: (page) => page.getByRole('contentinfo').scrollIntoViewIfNeeded() },
    { name: 'search', path: '/search/the' },
    { name: 'search-none', path: '/search/xyzzyplugh' },
    { name: 'about', path: '/about' },
    { name: 'error', path: '/no/such/page' },
  ]
  const [video] = data
  if (video) screens.push(...watchScreens(`/video/${video._id}`))
  const me = process.env.SIGN_IN ? await whoSignsIn(context) : undefined
  if (!me) {
    await context.close()
    return [
      ...screens,
      { name: 'login', path: '/login' },
      { name: 'login-refused', path: '/login', act: submit },
      { name: 'register', path: '/register' },
      { name: 'register-refused', path: '/register', act: submit },
    ]
  }
  if (video) {
    const channel = `/c/${video.videoOwner.username}`
    screens.push(
      { name: 'share', path: `/video/${video._id}/share` },
      { name: 'channel', path: channel },
      { name: 'subscribed-to', path: `${channel}/subscribedto` },
      {
        name: 'comment',
        path: `/video/${video._id}`,
        act: (page) => page.getByLabel('Add a comment').fill('A line'),
      },
    )
  }
  const own = await getJson<{ data: { userVideos: { _id: string }[] } }>(
    context,
    `/api/v1/users/videos/${encodeURIComponent(me)}`,
  )
  await context.close()
  const [first] = own.data.userVideos
  const dashboard = `/c/${me}/dashboard`
  if (first) {
    screens.push(
      { name: 'delete', path: `${dashboard}/delete/${first._id}` },
      { name: 'edit-video', path: `${dashboard}/edit/${first._id}` },
    )
  }
  return [
    ...screens,
    {
      name: 'more',
      path: '/',
      width: 390,
      act: (page) => page.getByRole('button', { name: 'More' }).click(),
    },
    { name: 'dashboard', path: dashboard },
    { name: 'dashboard-loading', path: dashboard, held: '**/api/v1/users/dashboard/**' },
    { name: 'upload', path: `${dashboard}/upload` },
    {
      name: 'upload-refused',
      path: `${dashboard}/upload`,
      act: (page) => page.getByRole('button', { name: 'Upload', exact: true }).click(),
    },
    { name: 'history', path: `/c/${me}/history` },
    { name: 'edit', path: `/c/${me}/edit` },
    {
      name: 'edit-refused',
      path: `/c/${me}/edit`,
      act: (page) => page.getByRole('button', { name: 'Save' }).nth(1).click(),
    },
  ]
}

function watchScreens(path: string): Screen[] {
  const press = (key: string) => async (page: Page) => {
    await page.locator('video').waitFor()
    await page.keyboard.press(key)
  }
  return [
    { name: 'watch', path },
    { name: 'watch-loading', path, held: `**/api/v1${path}` },
    { name: 'watch-theatre', path, act: press('t') },
    { name: 'watch-keys', path, act: press('?') },
    {
      name: 'watch-quality',
      path,
      act: async (page) => {
        await page.getByRole('region', { name: 'Video player' }).hover()
        await page.getByRole('button', { name: /^Quality/ }).click()
      },
    },
    {
      name: 'watch-comments',
      path,
      act: (page) => page.getByRole('region', { name: 'Comments' }).evaluate((it) => it.scrollIntoView()),
    },
    { name: 'embed', path: path.replace('/video/', '/embed/') },
  ]
}

const submit = (page: Page) => page.locator('main button[type=submit]').click()

async function shoot(
  browser: Browser,
  name: string,
  { path, held, act }: Screen,
  theme: string,
  width: number,
): Promise<void> {
  const height = { 320: 640, 390: 844, 768: 1024, 1440: 900 }[width] ?? 1300
  const context = await newContext(browser, { width, height })
  await context.addInitScript({ content: `localStorage.setItem('theme', '${theme}')` })
  const page = await context.newPage()
  if (held !== undefined) await page.route(held, () => {})
  await page.goto(path)
  const shown =
    held === undefined ? 'main h1, main article, dialog, video' : '[data-skeleton], main [aria-busy=true]'
  await page.locator(shown).first().waitFor({ state: 'attached' })
  await act?.(page)
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {})
  await page.screenshot({ path: join(directory, `${name}.png`) })
  await context.close()
}

let session: Awaited<ReturnType<BrowserContext['storageState']>> | undefined

async function newContext(
  browser: Browser,
  viewport = { width: 1440, height: 900 },
): Promise<BrowserContext> {
  return browser.newContext({ baseURL, viewport, ...(session && { storageState: session }) })
}

async function whoSignsIn(context: BrowserContext): Promise<string> {
  const [, email = '', password = ''] = /^([^:]+):(.*)$/.exec(process.env.SIGN_IN ?? '') ?? []
  const answer = await context.request.post('/api/v1/users/login', { form: { email, password } })
  if (!answer.ok()) throw new Error(`Signing in as ${email} answered ${answer.status()}`)
  session = await context.storageState()
  return (await getJson<{ data: { username: string } }>(context, '/api/v1/users/currentuser')).data.username
}

async function getJson<T>(context: BrowserContext, path: string): Promise<T> {
  const answer = await context.request.get(path)
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}`)
  // The shape is the contract's; a picture does not depend on more of it than is read here.
  return (await answer.json()) as T
}

await main(process.argv.slice(2))
