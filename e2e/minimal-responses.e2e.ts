import type { Locator, Page, Request } from 'playwright-core'
import { clip } from './fixtures/clips.ts'
import { expect, test } from './fixtures/test.ts'
import { profilePicture } from './fixtures/users.ts'

const createdAt = new Date().toISOString()
const person = { _id: 'u1', username: 'ada', fullname: 'Ada Brandão', avatar: '/favicon.svg' }
const friend = { ...person, _id: 'u2', username: 'bo', fullname: 'Bo Lind' }
const user = { ...person, email: 'ada@kinora.example', coverImage: '', watchHistory: [] }
const channel = {
  ...person,
  coverImage: null,
  subscribersCount: 2,
  subscribedToCount: 1,
  isSubscribed: false,
}
const video = {
  _id: 'v1',
  title: 'Minimal response',
  description: 'Nothing beyond the words.',
  thumbnail: '/favicon.svg',
  videoFile: '/no-such-file.mp4',
  duration: 61,
  views: 3,
  createdAt,
  totalSubs: 2,
  totalLikes: 1,
  videoOwner: person,
}
const comment = {
  _id: 'c1',
  content: 'Well said',
  createdAt,
  likes: 1,
  commentOwner: { _id: 'u1', username: 'ada', avatar: '/favicon.svg' },
}
const other = { ...video, _id: 'v2', title: 'Also minimal' }

/** The response of each call: the specified fields only, empty where none are specified. */
const responses: Record<string, unknown> = {
  'GET /users/currentuser': user,
  'GET /video/all': [video, other],
  'GET /video/search/Minimal response': [video, other],
  'GET /video/v1': [video],
  'GET /likes/video/hasliked/v1': { liked: false },
  'POST /likes/video/toggle/v1': { liked: true, totalLikes: 2 },
  'GET /likes/comment/hasliked/c1': { liked: false },
  'GET /sub/hassubbed/v1': { subbed: false },
  'POST /sub/channel/bo': { subbed: true, totalSub: 3 },
  'GET /sub/all/ada': [{ createdAt, subscribedToName: friend }],
  'GET /users/watchhistory': { watchHistory: [video] },
  'GET /comment/get/v1': [comment],
  'GET /users/c/ada': channel,
  'GET /users/c/bo': { ...channel, ...friend },
  'GET /users/videos/bo': { userVideos: [] },
  'GET /users/videos/ada': { userVideos: [video] },
  'GET /users/dashboard/': { totalViews: null, userVideos: [video] },
}

/** Calls whose responses the specification leaves open. */
const unspecifiedResponses = new Set([
  'PATCH /video/v1',
  'PATCH /video/v9',
  'DELETE /video/v1',
  'GET /likes/video/totallikes/v1',
  'POST /likes/comment/toggle/c1',
  'PATCH /users/updatehistory/v1',
  'PATCH /users/updatehistory/v9',
  'GET /comment/get/v9',
  'POST /comment/add',
  'DELETE /comment/delete/v1/c1',
  'POST /users/register',
  'POST /users/logout',
  'PATCH /users/updatedetails',
  'POST /users/changepass',
  'PATCH /users/updateavatar',
  'PATCH /users/updatecover',
])

const callOf = (request: Request) =>
  `${request.method()} ${decodeURIComponent(new URL(request.url()).pathname.slice(7))}`

/** Routes the specified calls to minimal responses and responds 404 to any other; `more` adds responses. */
async function respondMinimally(page: Page, more: Record<string, unknown> = {}): Promise<void> {
  await page.route('**/api/v1/**', (route) => {
    const call = callOf(route.request())
    const data = more[call] ?? responses[call]
    if (data !== undefined) return route.fulfill({ json: { data } })
    return unspecifiedResponses.has(call)
      ? route.fulfill({ status: 200 })
      : route.fulfill({ status: 404, body: 'Cannot find that' })
  })
}

test('every page renders from the specified fields alone', async ({ page }) => {
  await respondMinimally(page)
  const card = page.getByRole('article').filter({ hasText: 'Minimal response' })
  const main = page.getByRole('main')
  for (const path of [
    '/',
    '/search/Minimal%20response',
    '/c/ada/videos',
    '/c/ada/history',
    '/c/ada/dashboard',
  ]) {
    await page.goto(path)
    await card.getByRole('link', { name: 'Minimal response', exact: true }).waitFor()
    await card.hover()
  }
  for (const label of ['Total views', 'Total subscribers', 'Total likes'])
    await page.getByRole('group', { name: label }).getByText('0', { exact: true }).waitFor()
  await page.goto('/c/ada/subscribedto')
  await main.getByRole('link', { name: 'Bo Lind' }).click()
  await page.getByRole('heading', { name: 'Bo Lind', level: 1 }).waitFor()
  await main.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await main.getByRole('button', { name: 'Subscribed', exact: true }).waitFor()
  await page.goto('/c/ada/edit')
  const form = page.getByRole('form', { name: 'Password' })
  await form.getByLabel('Current password').fill('not the one')
  await form.getByLabel('New password', { exact: true }).fill('a new secret')
  await form.getByLabel('Repeat new password').fill('a new secret')
  const refusal = { status: 401, json: { message: 'Not your password' } }
  await page.route('**/users/changepass', (route) => route.fulfill(refusal))
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').getByText('Not your password', { exact: true }).waitFor()
  // The session follows from `currentuser` alone.
  await page.route('**/sub/all/ada', (route) => route.fulfill(refusal))
  let requests = 0
  page.on('requestfinished', (request) => {
    // The previous page may have made the call as well.
    const isOfPage = new URL(page.url()).pathname === '/about'
    if (isOfPage && request.url().endsWith('/currentuser')) requests += 1
  })
  await page.goto('/about')
  await expect.poll(() => requests).toBe(2)
  await page.getByRole('link', { name: 'Your channel' }).waitFor()

  await page.goto('/video/v1')
  await page.getByRole('heading', { name: 'Minimal response', level: 1 }).waitFor()
  await page
    .getByRole('region', { name: 'Recommended videos' })
    .getByRole('link', { name: 'Also minimal' })
    .waitFor()
  await page.getByRole('button', { name: 'Like', exact: true }).click()
  await page.locator('[data-count=likes]').getByText('2', { exact: true }).waitFor()
  const article = page.getByRole('region', { name: 'Comments' }).getByRole('article')
  const like = article.getByRole('button', { name: 'Like comment', exact: true })
  expect(await like.getAttribute('aria-pressed')).toBe('false')
  await like.click()
  await article.getByText('2', { exact: true }).waitFor()
  await page.route('**/likes/comment/hasliked/c1', (route) =>
    route.fulfill({ json: { data: { liked: true } } }),
  )
  await article.getByRole('button', { name: 'Dislike comment' }).click()
  await article.getByText('1', { exact: true }).waitFor()
  expect(await like.getAttribute('aria-pressed')).toBe('false')
  await page.getByRole('textbox', { name: 'Add a comment' }).fill('Indeed')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Add a comment' })).toHaveValue('')
})

test('registration, upload and profile work with the specified calls alone', async ({ page }) => {
  const published = { ...video, _id: 'v9', title: 'Uploaded minimally', videoOwner: person }
  await respondMinimally(page, {
    'POST /users/login': { user },
    'POST /video/upload': { _id: 'v9' },
    'GET /video/v9': [published],
    'GET /video/search/Uploaded minimally': [published],
    'GET /likes/video/hasliked/v9': { liked: false },
    'GET /sub/hassubbed/v9': { subbed: false },
  })
  let isSignedIn = false
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/api/')) sent.push(callOf(request))
  })
  page.on('response', (response) => {
    if (response.url().endsWith('/users/login') && response.ok()) isSignedIn = true
    if (response.url().endsWith('/users/logout')) isSignedIn = false
  })
  await page.route('**/users/currentuser', (route) =>
    isSignedIn ? route.fallback() : route.fulfill({ status: 401 }),
  )

  await page.goto('/register')
  const fields = { 'Full name': 'Ada Brandão', Email: user.email, Username: 'ada', Password: 'linocut-heron' }
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByLabel('Profile picture').setInputFiles(profilePicture)
  await page.getByRole('main').locator('button[type=submit]').click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.getByRole('link', { name: 'Your channel' }).waitFor()
  expect(sent).toEqual(['POST /users/register', 'POST /users/login'])

  await page.goto('/c/ada/dashboard')
  await page.getByRole('link', { name: 'Upload video' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload video' })
  await dialog.getByLabel('Title').fill('Uploaded minimally')
  await dialog.getByLabel('Description').fill('By one call')
  await dialog.getByLabel('Video').setInputFiles(await clip())
  await dialog.getByLabel('Thumbnail').setInputFiles(profilePicture)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.waitForURL('**/video/v9')
  await page.getByRole('heading', { name: 'Uploaded minimally', level: 1 }).waitFor()
  await page.getByText('No recommendations available', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Share' }).click()
  await page
    .getByRole('dialog', { name: 'Share' })
    .getByText(`${new URL(page.url()).origin}/video/v9/`, { exact: true })
    .waitFor()

  await page.goto('/c/ada/dashboard/delete/v1')
  const confirmation = page.getByRole('dialog', { name: 'Delete video' })
  await confirmation.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.waitForURL('**/c/ada/dashboard')
  expect(sent).toContain('DELETE /video/v1')

  const saves: [form: string, fill: (label: (name: string) => Locator) => Promise<unknown>][] = [
    ['Details', (label) => label('Full name').fill('Ada B.')],
    [
      'Password',
      async (label) => {
        await label('Current password').fill('linocut-heron')
        await label('New password').fill('another heron')
        await label('Repeat new password').fill('another heron')
      },
    ],
    ['Avatar', (label) => label('Avatar').setInputFiles(profilePicture)],
    ['Cover', (label) => label('Cover').setInputFiles(profilePicture)],
  ]
  for (const [name, fill] of saves) {
    await page.goto('/c/ada/edit')
    const form = page.getByRole('form', { name, exact: true })
    await fill((label) => form.getByLabel(label, { exact: true }))
    const reloaded = page.waitForEvent('load')
    await form.getByRole('button', { name: 'Save' }).click()
    await reloaded
  }
  expect(sent.filter((call) => call.includes('/users/update') || call.includes('changepass'))).toEqual(
    expect.arrayContaining([
      'PATCH /users/updatedetails',
      'POST /users/changepass',
      'PATCH /users/updateavatar',
      'PATCH /users/updatecover',
    ]),
  )

  await page.goto('/logout')
  await page.waitForURL((url) => url.pathname === '/')
  await page.getByRole('link', { name: 'Sign In', exact: true }).waitFor()
  await page.route('**/users/login', (route) =>
    route.fulfill({ status: 401, json: { message: 'Unknown user' } }),
  )
  await page.goto('/login')
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill('linocut-heron')
  await page.getByRole('main').locator('button[type=submit]').click()
  await page.getByRole('alert').getByText('Unknown user', { exact: true }).waitFor()
  await page.goto('/no/such/page')
  await page
    .getByText("This page isn't available, Try searching for something else", { exact: true })
    .waitFor()
})

test('likes missing from a response are requested', async ({ page }) => {
  await respondMinimally(page)
  const { totalLikes: _count, ...uncounted } = video
  const overrides: Record<string, unknown> = {
    '**/api/v1/video/v1': [uncounted],
    '**/likes/video/totallikes/v1': 7,
    '**/likes/video/hasliked/v1': { liked: true },
    '**/likes/video/toggle/v1': { liked: false, totalLikes: 6 },
    '**/likes/comment/hasliked/c1': { liked: true },
  }
  for (const [calls, data] of Object.entries(overrides))
    await page.route(calls, (route) => route.fulfill({ json: { data } }))
  await page.goto('/video/v1')
  const count = page.locator('[data-count=likes]')
  await count.getByText('7', { exact: true }).waitFor()
  await page.locator('button[aria-label="Like comment"][aria-pressed="true"]').waitFor()
  await page.locator('button[aria-label="Like"][aria-pressed="true"]').waitFor()
  await page.getByRole('button', { name: 'Dislike', exact: true }).click()
  await count.getByText('6', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Like comment', exact: true }).click()
  await page.locator('button[aria-label="Like comment"][aria-pressed="false"]').waitFor()
  await page.getByRole('article').filter({ hasText: 'Well said' }).getByText('0', { exact: true }).waitFor()

  // Visitors cause no call that needs a session.
  await page.route('**/users/currentuser', (route) => route.fulfill({ status: 401 }))
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.reload()
  await count.getByText('7', { exact: true }).waitFor()
  await page.getByText('Well said').waitFor()
  expect(requests.filter((url) => url.includes('hasliked'))).toEqual([])
})

test('lists show the newest first regardless of the order of the response', async ({ page }) => {
  await respondMinimally(page)
  const ascending = [1, 2, 3, 4, 5, 6].map((day) => ({ day, createdAt: `2026-01-0${day}T10:00:00.000Z` }))
  const subscriptions = ascending.map(({ day, createdAt: since }) => ({
    // A server clock ahead of the browser.
    createdAt: day === 6 ? '2999-01-01T00:00:00.000Z' : since,
    subscribedToName: { ...friend, username: `bo${day}`, fullname: `Channel ${day}` },
  }))
  const userVideos = ascending.map(({ day, createdAt: since }) => ({
    ...video,
    _id: `v${day}`,
    title: `Title ${day}`,
    createdAt: since,
  }))
  const overrides: Record<string, unknown> = {
    '**/sub/all/ada': subscriptions,
    '**/users/videos/ada': { userVideos },
    '**/users/dashboard/': { userVideos },
  }
  for (const [calls, data] of Object.entries(overrides))
    await page.route(calls, (route) => route.fulfill({ json: { data } }))
  const newest = [6, 5, 4, 3, 2, 1]
  for (const [tab, title] of [
    ['videos', 'Ada Brandão'],
    ['dashboard', 'Dashboard'],
  ]) {
    await page.goto(`/c/ada/${tab}`)
    const titles = page.getByRole('article').getByRole('heading')
    await expect(titles).toHaveText(newest.map((day) => `Title ${day}`))
    await expect.poll(() => page.title()).toBe(`${title} · Kinora`)
  }
  const nav = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Channel/ })
  await expect(nav).toHaveText(newest.slice(0, 5).map((day) => `Channel ${day}`))
  for (const [tab, title] of [
    ['history', 'History'],
    ['edit', 'Edit'],
    ['subscribedto', 'Subscribed to'],
  ]) {
    await page.goto(`/c/ada/${tab}`)
    await expect.poll(() => page.title()).toBe(`${title} · Kinora`)
  }
  const newestEntry = page.getByRole('main').getByRole('link', { name: 'Channel 6' })
  await newestEntry.getByText('Just now', { exact: true }).waitFor()
})

test('empty lists and a missing session are not errors', async ({ page }) => {
  await page.route('**/api/v1/**', (route) => {
    const path = new URL(route.request().url()).pathname
    const data = path.endsWith('/video/v1') ? [video] : path.endsWith('/currentuser') ? null : []
    return route.fulfill({ json: { data } })
  })
  await page.goto('/')
  await page.getByText('No videos yet').waitFor()
  await page.getByRole('link', { name: 'Sign In' }).waitFor()
  await page.goto("/search/it's")
  await page.getByRole('heading', { name: "No results found for 'it's'", exact: true }).waitFor()
  await page.goto('/video/v1')
  await page.getByText('No recommendations available', { exact: true }).waitFor()
  await page.goto('/c/ada')
  await page.waitForURL('**/login')
})

test('incomplete entries show a fallback and the page still renders', async ({ page }) => {
  await respondMinimally(page)
  const { videoOwner: _owner, ...ownerless } = { ...video, _id: 'v3', title: 'Without owner' }
  const { commentOwner: _author, ...authorless } = { ...comment, _id: 'c2', content: 'Comment without owner' }
  const lists: Record<string, unknown> = {
    '**/video/all**': [ownerless, null, video],
    '**/video/search/**': [ownerless, null, other],
    '**/comment/get/v1**': [authorless, null, comment],
    '**/sub/all/ada**': [
      { createdAt },
      { createdAt, subscribedToName: null },
      { createdAt, subscribedToName: friend },
    ],
    '**/users/currentuser': { ...user, fullname: undefined },
  }
  for (const [calls, data] of Object.entries(lists))
    await page.route(calls, (route) => route.fulfill({ json: { data } }))
  await page.goto('/')
  await page.getByRole('article').getByRole('link', { name: 'Minimal response', exact: true }).waitFor()
  expect(await page.getByRole('article').count()).toBe(1)
  await page.getByText('This video cannot be displayed.').waitFor()
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('link', { name: 'Bo Lind' }).waitFor()
  await page.getByRole('link', { name: 'Your channel' }).waitFor()
  await page.goto('/video/v1')
  await page.getByRole('link', { name: 'Also minimal' }).waitFor()
  await page.getByRole('article').getByText('Well said').waitFor()
  await page.getByText('This video cannot be displayed.').waitFor()
  await page.getByText('This comment cannot be displayed.').waitFor()
  expect(await page.getByText('without owner').count()).toBe(0)
  await page.goto('/c/ada/subscribedto')
  await page.getByRole('main').getByRole('link', { name: 'Bo Lind' }).waitFor()
})

test('a response without any data shows an error', async ({ page }) => {
  await respondMinimally(page)
  for (const data of [null, {}, []]) {
    await page.route('**/users/c/bo', (route) => route.fulfill({ json: { data } }))
    await page.goto('/about')
    await page.goto('/c/bo/videos')
    await page.waitForURL('**/notfound')
    await page.route('**/api/v1/video/v1', (route) => route.fulfill({ json: { data: [data] } }))
    await page.goto('/about')
    await page.goto('/video/v1')
    await page.waitForURL('**/notfound')
  }
})
