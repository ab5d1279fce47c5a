import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { findAccessibilityIssues, findViolations } from './fixtures/accessibility.ts'
import { clip, publish } from './fixtures/clips.ts'
import { openSetting } from './fixtures/player.ts'
import { expect, test } from './fixtures/test.ts'
import { tabTo } from './fixtures/keyboard.ts'
import { createAccount, newUser, profilePicture, registering, signIn } from './fixtures/users.ts'

/** A screen to check: how to open it, and the element that shows it is ready. */
interface State {
  path: string
  shown: string
  /** API call whose response is withheld, for loading states. */
  held?: string
  act?: (page: Page) => Promise<unknown>
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()

const forVisitors = (videoId: string): State[] => [
  { path: '/', shown: 'article' },
  { path: '/', shown: '[data-skeleton]', held: '**/api/v1/video/all*' },
  { path: '/', shown: '[role=listbox]', act: (page) => page.getByRole('searchbox').fill('plank') },
  { path: '/about', shown: 'h1' },
  { path: '/privacy', shown: 'main h1' },
  { path: '/search/plank', shown: 'article' },
  { path: '/search/plank?length=short&sort=views', shown: 'article' },
  { path: '/search/nothingatall', shown: 'h1' },
  { path: '/login', shown: 'form[novalidate]' },
  { path: '/login', shown: '[aria-invalid=true]', act: press('Login') },
  { path: '/register', shown: 'form[novalidate]' },
  { path: '/register', shown: '[aria-invalid=true]', act: press('Register') },
  { path: '/notfound', shown: 'h1' },
  { path: `/video/${videoId}`, shown: '[aria-label=Comments] p' },
  { path: `/video/${videoId}`, shown: '[data-skeleton=watch]', held: `**/api/v1/video/${videoId}` },
  { path: `/embed/${videoId}`, shown: '[aria-label="Play video"]' },
]

const forMembers = (username: string, videoId: string): State[] => {
  const [watch, own] = [`/video/${videoId}`, `/c/${username}`]
  return [
    { path: `${own}/videos`, shown: 'article' },
    { path: `${own}/subscribedto`, shown: 'h1' },
    { path: `${own}/history`, shown: 'h1' },
    { path: `${own}/dashboard`, shown: '[role=group]' },
    { path: `${own}/dashboard/upload`, shown: 'dialog' },
    { path: `${own}/dashboard/upload`, shown: '[aria-invalid=true]', act: press('Upload') },
    {
      path: `${own}/dashboard/upload`,
      shown: 'button:text("Uploading..")',
      held: '**/video/upload',
      act: upload,
    },
    { path: `${own}/dashboard/edit/${videoId}`, shown: 'dialog' },
    { path: `${own}/dashboard/delete/${videoId}`, shown: 'dialog' },
    { path: '/account', shown: 'form' },
    { path: '/account/security', shown: 'main li' },
    { path: '/studio/comments', shown: 'main h2' },
    { path: `${own}/edit`, shown: 'form' },
    { path: `${own}/edit`, shown: '[role=alert]', act: press('Save') },
    { path: watch, shown: 'video' },
    {
      path: watch,
      shown: '[aria-label=Comments] form button',
      act: (page) => page.getByLabel('Add a comment').fill('A'),
    },
    { path: watch, shown: 'dialog nav', act: press('Menu') },
    { path: watch, shown: '[role=menu]', act: press('Settings') },
    { path: watch, shown: '[role=menuitemradio]', act: (page) => openSetting(page, 'Quality') },
    { path: watch, shown: 'dialog', act: (page) => page.keyboard.press('?') },
    { path: `${watch}/share`, shown: 'dialog [role=status]', act: press('Copy') },
  ]
}

async function upload(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Upload video' })
  await dialog.getByLabel('Title').fill('On its way')
  await dialog.getByLabel('Description').fill('Not there yet')
  await dialog.getByLabel('Video').setInputFiles(await clip())
  await dialog.getByLabel('Thumbnail').setInputFiles(profilePicture)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
}

/** Opens each state, and returns its issues in both themes and widths. */
async function findIssuesOfStates(page: Page, states: State[]): Promise<string[]> {
  const found: string[] = []
  // Axe would measure the contrast of a dialog during its transition.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const { path, shown, held, act } of states) {
    if (held !== undefined) await page.route(held, () => {})
    await page.goto(path)
    // Pages handle keys once they have mounted.
    if (act) await page.locator('main h1, main h2, dialog').first().waitFor()
    await act?.(page)
    await page.locator(shown).first().waitFor()
    // The title of a video and the name of a channel render after the rest of the page. Under a dialog the heading
    // is present but hidden.
    const hasTitle = /^\/(video|c)\//.test(path) && !(held !== undefined && path.startsWith('/video/'))
    if (hasTitle) await page.locator('h1').first().waitFor({ state: 'attached' })
    const without = held === undefined ? [] : ['page-has-heading-one']
    const issues = await findAccessibilityIssues(page, { shown, without })
    found.push(...issues.map((each) => `${path} (${shown}): ${each}`))
    if (held !== undefined) await page.unroute(held)
  }
  return found
}

test('home, search, watch, studio and login pages meet WCAG without horizontal scrolling', async ({
  page,
}) => {
  await signIn(page)
  const id = await publish(page, 'A plane, a plank')
  const states: State[] = [
    { path: '/', shown: 'article' },
    { path: '/search/plank', shown: 'article' },
    { path: `/video/${id}`, shown: '[aria-label=Comments] p' },
    { path: '/studio', shown: 'tbody tr' },
  ]
  expect(await findIssuesOfStates(page, states)).toEqual([])
  await page.context().clearCookies()
  expect(await findIssuesOfStates(page, [{ path: '/login', shown: 'form[novalidate]' }])).toEqual([])
})

test('screens for visitors meet WCAG without horizontal scrolling, in both themes and widths @nightly', async ({
  page,
  newVisitor,
}) => {
  const owner = await newVisitor()
  await signIn(owner)
  const videoId = await publish(owner, 'A plane, a plank')
  expect(await findIssuesOfStates(page, forVisitors(videoId))).toEqual([])
})

test('screens for members meet WCAG without horizontal scrolling, in both themes and widths @nightly', async ({
  page,
}) => {
  // A name that is wider than any line.
  const { username } = await signIn(page, await createAccount(page, newUser('Wolfeschlegel'.repeat(5))))
  await page.context().grantPermissions(['clipboard-write'])
  const empty: State[] = ['dashboard', 'history', 'videos', 'subscribedto'].map((tab) => ({
    path: `/c/${username}/${tab}`,
    shown: 'main h2, main h1',
  }))
  const found = await findIssuesOfStates(page, empty)
  const videoId = await publish(page, 'A plane, a plank')
  found.push(...(await findIssuesOfStates(page, forMembers(username, videoId))))
  expect(found).toEqual([])
})

test('registration works by keyboard alone', async ({ page }) => {
  const user = newUser()
  const picker = page.waitForEvent('filechooser', { timeout: 120_000 })
  await page.goto('/register')
  await page.getByLabel('Full name').focus()
  for (const value of [user.fullname, user.email, user.username, user.password]) {
    await page.keyboard.type(value)
    await page.keyboard.press('Tab')
  }
  // The file picker belongs to the system and opens from the focused field.
  await page.keyboard.press('Space')
  await (await picker).setFiles(profilePicture)
  await tabTo(page.getByRole('button', { name: 'Register' }))
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/', registering)
})

test('watching, liking and commenting work by keyboard alone', async ({ page }) => {
  await signIn(page)
  const title = `A plane, a plank ${randomBytes(5).toString('hex')}`
  await publish(page, title)
  await page.goto('/')
  await tabTo(page.getByRole('link', { name: title }))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/video\/[^/]+$/)
  const player = page.getByRole('region', { name: 'Video player' })
  await tabTo(player.getByRole('button', { name: 'Settings' }))
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Speed' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('menuitemradio', { name: 'Normal', checked: true }).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Speed 0.75×' }).waitFor()
  await page.keyboard.press('Escape')
  await tabTo(page.getByRole('button', { name: 'Like', exact: true }))
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Like', exact: true, pressed: true }).waitFor()
  await tabTo(page.getByRole('textbox', { name: 'Add a comment' }))
  await page.keyboard.type('Without a mouse')
  await tabTo(page.getByRole('button', { name: 'Comment', exact: true }))
  await page.keyboard.press('Enter')
  const comment = page.getByRole('article').filter({ hasText: 'Without a mouse' })
  await tabTo(comment.getByRole('button', { name: 'Delete comment' }))
  await page.keyboard.press('Enter')
  await comment.waitFor({ state: 'detached' })
})

test('the menu on phones traps the focus and returns it on close @nightly', async ({ page }) => {
  const channel = await createAccount(page)
  await signIn(page)
  await page.request.post(`/api/v1/sub/channel/${channel.username}`)
  await page.setViewportSize({ width: 360, height: 800 })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
  await page.goto('/')
  const more = page.getByRole('button', { name: 'More', exact: true })
  await more.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'More' })
  await sheet.getByRole('link', { name: channel.fullname }).waitFor()
  expect(await findViolations(page)).toEqual([])
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('Tab')
    const isOutside = await page.evaluate(
      () => document.activeElement !== document.body && !document.activeElement?.closest('dialog'),
    )
    expect(isOutside).toBe(false)
  }
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await expect(more).toBeFocused()
  await more.press('Enter')
  await sheet.getByRole('link', { name: 'Settings' }).click()
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('form', { name: 'Details' }).waitFor()
})
