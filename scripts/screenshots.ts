import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { chromiumPath } from './chromium-path.ts'

/**
 * Pictures of every screen of a running site, in both themes and on four widths, into `screenshots/`:
 *
 *   BASE_URL=http://127.0.0.1:3000 SIGN_IN=test@kinora.example:password npm run screenshots
 *
 * Without SIGN_IN only what visitors see. Words after the command choose the screens whose names contain one of them.
 */
const root = join(import.meta.dirname, '..')
const directory = join(root, 'screenshots')
const baseURL = process.env.BASE_URL || 'http://127.0.0.1:3000'
const widths = [390, 768, 1440, 2560]
const themes = ['light', 'dark']

interface Screen {
  name: string
  path: string
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
    const chosen = screens.filter(
      ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
    )
    for (const theme of themes) {
      for (const width of widths) for (const screen of chosen) await shoot(browser, screen, theme, width)
    }
    console.log(`${chosen.length * themes.length * widths.length} pictures in ${directory}`)
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
    { name: 'search', path: '/search/the' },
    { name: 'search-none', path: '/search/xyzzyplugh' },
    { name: 'about', path: '/about' },
    { name: 'error', path: '/no/such/page' },
  ]
  const [video] = data
  if (video) screens.push({ name: 'watch', path: `/video/${video._id}` })
  const me = process.env.SIGN_IN ? await whoSignsIn(context) : undefined
  await context.close()
  if (!me) {
    return [
      ...screens,
      { name: 'login', path: '/login' },
      {
        name: 'login-refused',
        path: '/login',
        act: (page) => page.locator('main button[type=submit]').click(),
      },
      { name: 'register', path: '/register' },
    ]
  }
  if (video) {
    screens.push(
      { name: 'share', path: `/video/${video._id}/share` },
      { name: 'channel', path: `/c/${video.videoOwner.username}` },
      { name: 'subscribed-to', path: `/c/${video.videoOwner.username}/subscribedto` },
    )
  }
  return [
    ...screens,
    { name: 'dashboard', path: `/c/${me}/dashboard` },
    { name: 'upload', path: `/c/${me}/dashboard/upload` },
    { name: 'history', path: `/c/${me}/history` },
    { name: 'edit', path: `/c/${me}/edit` },
  ]
}

async function shoot(
  browser: Browser,
  { name, path, act }: Screen,
  theme: string,
  width: number,
): Promise<void> {
  const height = { 390: 844, 768: 1024, 1440: 900 }[width] ?? 1300
  const context = await newContext(browser, { width, height })
  await context.addInitScript({ content: `localStorage.setItem('theme', '${theme}')` })
  const page = await context.newPage()
  await page.goto(path)
  await page.locator('main h1, main article, dialog').first().waitFor({ state: 'attached' })
  await act?.(page)
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {})
  await page.screenshot({ path: join(directory, `${name}-${width}-${theme}.png`) })
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
