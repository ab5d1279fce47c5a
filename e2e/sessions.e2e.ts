import type { Locator } from 'playwright-core'
import { publish } from './fixtures/clips.ts'
import { holdSecondResponse } from './fixtures/held-response.ts'
import { expect, test } from './fixtures/test.ts'
import { createAccount, newUser, profilePicture, signIn } from './fixtures/users.ts'

const signInLink = { name: 'Sign In', exact: true }
const channelLink = { name: 'Your channel' }

test('registration signs a visitor in and leads to the home page', async ({ page }) => {
  const user = newUser('Ada Brandão')
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') calls.push(new URL(request.url()).pathname)
  })
  await page.goto('/register')
  await page.getByLabel('Full name').fill(user.fullname)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Username').fill(user.username)
  await page.getByLabel('Password').fill(user.password)
  await page.getByLabel('Profile picture').setInputFiles(profilePicture)
  const submit = page.getByRole('main').locator('button[type=submit]')
  await page.route('**/users/login', async (route) => {
    // Delayed, so that the busy form is observable.
    expect(await submit.textContent()).toBe('Loading..')
    expect(await submit.isDisabled()).toBe(true)
    await route.continue()
  })
  await submit.click()
  await page.waitForURL((url) => url.pathname === '/')
  expect(calls).toEqual(['/api/v1/users/register', '/api/v1/users/login'])
  expect(await page.getByRole('link', channelLink).getAttribute('href')).toBe(`/c/${user.username}/videos`)
  expect(await page.getByRole('link', { name: 'Register' }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'My Channel' }).getAttribute('href')).toBe(
    `/c/${user.username}/videos`,
  )
})

test('file pickers stay within the form on tablets', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  await page.goto('/register')
  const endOf = async (element: Locator) => {
    const { x, width } = (await element.boundingBox())!
    return x + width
  }
  const cover = await endOf(page.getByLabel('Cover picture'))
  expect(cover).toBeLessThanOrEqual(await endOf(page.getByRole('main').locator('button[type=submit]')))
})

test('an invalid registration shows errors and sends nothing', async ({ page }) => {
  let sent = 0
  page.on('request', (request) => (sent += request.method() === 'POST' ? 1 : 0))
  await page.goto('/register')
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('alert')).toHaveCount(5)
  await page.getByLabel('Full name').fill('Ada')
  await page.getByLabel('Email').fill('a b@c')
  await page.getByLabel('Username').fill('ada!')
  await page.getByLabel('Password').fill('long enough')
  // A file that is not an image is rejected on selection.
  const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') }
  await page.getByLabel('Profile picture').setInputFiles(text)
  await page.getByText('Profile picture is required').waitFor({ state: 'detached' })
  expect(await page.getByRole('alert').count()).toBe(5)
  await page.getByLabel('Profile picture').setInputFiles(profilePicture)
  await expect(page.getByRole('alert')).toHaveCount(4)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('alert')).toHaveText([
    'Invalid email address',
    'Username can only contain letters and numbers',
  ])
  expect(sent).toBe(0)
  // On the narrowest phone nothing overflows the page or its field.
  await page.setViewportSize({ width: 320, height: 700 })
  const prompt = page.getByText('Choose a wide picture')
  const box = (await prompt.locator('xpath=../..').boundingBox())!
  const words = (await prompt.boundingBox())!
  expect(box.x + box.width).toBeLessThanOrEqual(320 - 16)
  expect(words.y).toBeGreaterThan(box.y + 2)
  expect(words.y + words.height).toBeLessThan(box.y + box.height - 2)
})

test('a taken username shows the message of the server', async ({ page }) => {
  const taken = await createAccount(page)
  await page.goto('/register')
  await page.getByLabel('Full name').fill('Ada')
  await page.getByLabel('Email').fill(newUser().email)
  await page.getByLabel('Username').fill(taken.username.toUpperCase())
  await page.getByLabel('Password').fill('long enough')
  await page.getByLabel('Profile picture').setInputFiles(profilePicture)
  const response = page.waitForResponse('**/users/register')
  await page.getByRole('button', { name: 'Register' }).click()
  const { message } = (await (await response).json()) as { message: string }
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').textContent()).toBe(message)
  expect(new URL(page.url()).pathname).toBe('/register')
})

test('the login page omits thumbnails that are entirely black', async ({ page }) => {
  const video = (thumbnail: string, title: string) => ({
    _id: title,
    title,
    thumbnail: `data:image/svg+xml,${encodeURIComponent(thumbnail)}`,
    videoOwner: { _id: 'o', username: 'o', fullname: 'O', avatar: '' },
  })
  const background =
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="36"><path d="M0 0h64v36H0z"/>'
  const black = video(`${background}</svg>`, 'Black')
  const scene = video(`${background}<path fill="#fff" d="M8 8h30v20H8z"/></svg>`, 'Scene')
  let shown = [black, scene]
  await page.route('**/api/v1/video/all?limit=5', (route) => route.fulfill({ json: { data: shown } }))
  await page.goto('/login')
  const aside = page.getByRole('complementary', { name: 'From this site' })
  await aside.getByRole('link', { name: 'Scene' }).waitFor()
  shown = [black]
  await page.reload()
  await page.getByRole('button', { name: 'Login' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await aside.getByRole('link').count()).toBe(0)
})

test('a member logs in and out', async ({ page }) => {
  const user = await createAccount(page)
  const other = await page.context().newPage()
  let requests = 0
  other.on('request', (request) => (requests += request.url().endsWith('/currentuser') ? 1 : 0))
  await other.goto('/about')
  await other.getByRole('link', signInLink).waitFor()
  await page.goto('/login')
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill('not the password')
  const refusal = page.waitForResponse('**/users/login')
  await page.getByRole('button', { name: 'Login' }).click()
  const { message } = (await (await refusal).json()) as { message: string }
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').textContent()).toBe(message)
  expect((await refusal).request().postData()).toContain('email=')

  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.getByRole('link', channelLink).waitFor()
  expect(await page.getByRole('link', signInLink).count()).toBe(0)
  // Another tab notices the logout with one request.
  await other.getByRole('link', channelLink).waitFor()
  expect(requests).toBe(2)
  await other.getByRole('link', { name: 'My Channel' }).click()
  await other.getByRole('heading', { name: user.fullname, level: 1 }).waitFor()

  await page.getByRole('link', { name: 'Logout' }).click()
  await page.getByRole('link', signInLink).waitFor()
  await other.waitForURL('**/login')
  await page.waitForURL((url) => url.pathname === '/')
  expect(await page.getByRole('link', { name: 'Logout' }).count()).toBe(0)
})

test('after too many failures the login page takes a code or passkey, and sends no empty code', async ({
  page,
  siteUrl,
}) => {
  const user = await createAccount(page)
  const bodies: (string | null)[] = []
  await page.route('**/users/login', async (route) => {
    bodies.push(route.request().postData())
    if (bodies.length > 2) return route.continue()
    const json = { code: 'too_many_requests', message: 'Too many attempts. Try again in a minute.' }
    return route.fulfill({ status: 429, json })
  })
  await page.goto(`${siteUrl.replace('127.0.0.1', 'localhost')}/login`)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  const code = page.getByLabel('Code')
  await expect(code).toHaveCount(0)
  const login = page.getByRole('button', { name: 'Login' })
  await login.click()
  await expect(code).toHaveAccessibleDescription(/passkey lets you in without waiting/)
  if (siteUrl.startsWith('http://127.0.0.1'))
    await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
  const again = page.waitForResponse('**/users/login')
  await login.click()
  await again
  await code.fill('123456')
  await expect(login).toBeEnabled()
  await login.click()
  await expect(page.getByRole('link', channelLink)).toBeVisible()
  expect(bodies.map((body) => body?.includes('code'))).toEqual([false, false, true])
})

test('a failed logout leads home and keeps the session', async ({ page }) => {
  await signIn(page)
  await page.route('**/users/logout', (route) => route.abort())
  await page.goto('/logout')
  await page.waitForURL((url) => url.pathname === '/')
  await page.getByRole('link', channelLink).waitFor()
})

test('a logout link on another site asks for confirmation, the typed address does not', async ({ page }) => {
  await signIn(page)
  await page.goto('/')
  const logout = new URL('/logout', page.url()).href
  await page.route('http://elsewhere.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${logout}">A prize</a>` }),
  )
  const followLink = async () => {
    await page.goto('http://elsewhere.example/')
    await page.getByRole('link', { name: 'A prize' }).click()
    await page.getByRole('heading', { name: 'Log out?' }).waitFor()
  }
  await followLink()
  await page.getByRole('link', { name: 'Stay logged in' }).click()
  await page.getByRole('link', channelLink).waitFor()
  await followLink()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('link', signInLink).waitFor()

  await signIn(page)
  await page.goto('/logout')
  await page.waitForURL((url) => url.pathname === '/')
  await page.getByRole('link', signInLink).waitFor()
})

test('login and register redirect members, channels redirect visitors', async ({ page }) => {
  await page.goto('/c/somebody/videos')
  await page.waitForURL('**/login')
  const user = await signIn(page)
  for (const path of ['/login', '/register']) {
    await page.goto(path)
    await page.waitForURL((url) => url.pathname === '/')
  }
  await page.goto(`/c/${user.username.toUpperCase()}/edit`)
  await page.getByRole('form', { name: 'Details' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/c/${user.username.toUpperCase()}/edit`)
  const other = await createAccount(page)
  for (const tab of ['edit', 'history', 'dashboard', 'dashboard/upload']) {
    await page.goto(`/c/${other.username}/${tab}`)
    await page.waitForURL('**/notfound')
  }
  // An expired session is noticed during navigation.
  await page.getByRole('link', { name: 'My Channel' }).waitFor()
  await page.context().clearCookies()
  await page.getByRole('link', { name: 'My Channel' }).click()
  await page.waitForURL('**/login')
})

test('login neither redirects nor shows the form before the session check finishes', async ({ page }) => {
  await signIn(page)
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/users/currentuser', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/login')
  await page.getByRole('searchbox', { name: 'Search' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
  expect(await page.getByLabel('Email').count()).toBe(0)
  expect(await page.getByRole('link', signInLink).count()).toBe(0)
  release()
  await page.waitForURL((url) => url.pathname === '/')
})

test('a pending navigation to search survives the end of the session check', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  let letPageIn = () => {}
  const pageHeld = new Promise<void>((resolve) => (letPageIn = resolve))
  await page.route('**/users/currentuser', async (route) => {
    await held
    await route.continue()
  })
  await page.route('**/assets/search-page-*.js', async (route) => {
    await pageHeld
    await route.continue()
  })
  await page.goto('/c/somebody/videos')
  const pageAsked = page.waitForRequest('**/assets/search-page-*.js')
  await page.getByRole('searchbox', { name: 'Search' }).fill('lighthouse')
  await page.getByRole('searchbox', { name: 'Search' }).press('Enter')
  await pageAsked
  release()
  await page.getByRole('link', signInLink).waitFor()
  letPageIn()
  await page.getByRole('heading', { name: /esults found for 'lighthouse'/ }).waitFor()
})

test('a session check older than a login does not undo it', async ({ page, newVisitor }) => {
  const owner = await newVisitor()
  await signIn(owner)
  const id = await publish(owner, 'Nobody yet')
  const { email, password } = await createAccount(page)
  const check = await holdSecondResponse(page, '**/users/currentuser')
  await page.goto(`/video/${id}`)
  await check.requested
  await page.getByRole('link', signInLink).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('link', channelLink).waitFor()
  await check.release()
  expect(await page.getByRole('link', channelLink).count()).toBe(1)
})

test('the page frame renders signed out while the server fails', async ({ page }) => {
  await signIn(page)
  await page.route('**/api/v1/**', (route) => route.abort())
  await page.goto('/')
  await page.getByRole('link', signInLink).waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Register' }).waitFor()
  // The next navigation checks the session again.
  await page.unrouteAll()
  await page.getByRole('link', { name: 'About Kinora' }).click()
  await page.getByRole('link', channelLink).waitFor()
})
