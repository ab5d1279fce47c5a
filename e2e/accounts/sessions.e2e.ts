import { expect, test } from '../fixtures/test.ts'
import { createAccount, newUser, profilePicture, registering, signIn } from '../fixtures/users.ts'

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
  await page.waitForURL((url) => url.pathname === '/', registering)
  expect(calls).toEqual(['/api/v1/users/register', '/api/v1/users/login'])
  expect(await page.getByRole('link', channelLink).getAttribute('href')).toBe(`/c/${user.username}/videos`)
  expect(await page.getByRole('link', { name: 'Register' }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'My Channel' }).getAttribute('href')).toBe(
    `/c/${user.username}/videos`,
  )
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

test('a logout link on another site asks for confirmation, the typed address does not @nightly', async ({
  page,
}) => {
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
