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

test('registration, upload and profile work with the specified calls alone @nightly', async ({ page }) => {
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
