import { api } from '@kinora/contract/api.ts'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { allCalls, openPage, reply } from '../testing/site.tsx'

const createdAt = new Date().toISOString()
const person = { _id: 'u1', username: 'ada', fullname: 'Ada Brandão', avatar: 'data:,' }
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
  thumbnail: 'data:,',
  videoFile: 'data:,',
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
  commentOwner: { _id: 'u1', username: 'ada', avatar: 'data:,' },
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
  'GET /likes/video/totallikes/v1',
  'POST /likes/comment/toggle/c1',
  'PATCH /users/updatehistory/v1',
  'POST /comment/add',
])

/** Responses of a test, before those above. */
let more: Record<string, unknown>

const card = page.getByRole('article').filter({ hasText: 'Minimal response' })
const main = page.getByRole('main')
const likes = () => document.querySelector('[data-count=likes]')?.textContent
const like = page.getByRole('button', { name: 'Like', exact: true })
const likeComment = page.getByRole('button', { name: 'Like comment', exact: true })
const textsOf = (locator: ReturnType<typeof page.getByRole>) =>
  locator.elements().map(({ textContent }) => textContent)

beforeEach(() => {
  more = {}
  for (const endpoint of api)
    reply(endpoint, ({ method, path }) => {
      const call = `${method} ${path}`
      const data = call in more ? more[call] : responses[call]
      if (data instanceof Response) return data.clone()
      if (data !== undefined) return Response.json({ data })
      const isOpen = unspecifiedResponses.has(call)
      return new Response(isOpen ? '' : 'Cannot find that', { status: isOpen ? 200 : 404 })
    })
})

test('every page renders from the specified fields alone', async () => {
  for (const path of [
    '/',
    '/search/Minimal%20response',
    '/c/ada/videos',
    '/c/ada/history',
    '/c/ada/dashboard',
  ]) {
    await openPage(path)
    await expect.element(card.getByRole('link', { name: 'Minimal response', exact: true })).toBeVisible()
    await card.hover()
  }
  for (const label of ['Total views', 'Total subscribers', 'Total likes'])
    await expect.element(page.getByRole('group', { name: label }).getByText('0')).toBeVisible()
  await openPage('/c/ada/subscribedto')
  await main.getByRole('link', { name: /Bo Lind/ }).click()
  await expect.element(page.getByRole('heading', { name: 'Bo Lind', level: 1 })).toBeVisible()
  await main.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expect.element(main.getByRole('button', { name: 'Subscribed', exact: true })).toBeVisible()
  await openPage('/c/ada/edit')
  const form = page.getByRole('form', { name: 'Password' })
  await form.getByLabelText('Current password').fill('not the one')
  await form.getByLabelText('New password', { exact: true }).fill('a new secret')
  await form.getByLabelText('Repeat new password').fill('a new secret')
  const refusal = Response.json({ message: 'Not your password' }, { status: 401 })
  more['POST /users/changepass'] = refusal
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.element(form.getByRole('alert').getByText('Not your password')).toBeVisible()
  // The session follows from `currentuser` alone.
  more['GET /sub/all/ada'] = refusal
  const checks = () => allCalls().filter((call) => call === 'GET /users/currentuser').length
  const before = checks()
  await openPage('/about')
  await expect.poll(checks).toBe(before + 2)
  await expect.element(page.getByRole('link', { name: 'Your channel' })).toBeVisible()
})

test('the watch page renders from the specified fields alone', async () => {
  await openPage('/video/v1')
  await expect.element(page.getByRole('heading', { name: 'Minimal response', level: 1 })).toBeVisible()
  const recommended = page.getByRole('region', { name: 'Recommended videos' })
  await expect.element(recommended.getByRole('link', { name: 'Also minimal', exact: true })).toBeVisible()
  await like.click()
  await expect.poll(likes).toBe('2')
  const article = page.getByRole('region', { name: 'Comments' }).getByRole('article')
  await expect.element(likeComment).toHaveAttribute('aria-pressed', 'false')
  await likeComment.click()
  await expect.element(article.getByText('2', { exact: true })).toBeVisible()
  more['GET /likes/comment/hasliked/c1'] = { liked: true }
  await article.getByRole('button', { name: 'Dislike comment' }).click()
  await expect.element(article.getByText('1', { exact: true })).toBeVisible()
  await expect.element(likeComment).toHaveAttribute('aria-pressed', 'false')
  const box = page.getByRole('textbox', { name: 'Add a comment' })
  await box.fill('Indeed')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect.element(box).toHaveValue('')
})

test('likes missing from a response are requested', async () => {
  const { totalLikes: _count, ...uncounted } = video
  more = {
    'GET /video/v1': [uncounted],
    'GET /likes/video/totallikes/v1': 7,
    'GET /likes/video/hasliked/v1': { liked: true },
    'POST /likes/video/toggle/v1': { liked: false, totalLikes: 6 },
    'GET /likes/comment/hasliked/c1': { liked: true },
  }
  await openPage('/video/v1')
  await expect.poll(likes).toBe('7')
  await expect.element(likeComment).toHaveAttribute('aria-pressed', 'true')
  await expect.element(like).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Dislike', exact: true }).click()
  await expect.poll(likes).toBe('6')
  await likeComment.click()
  await expect.element(likeComment).toHaveAttribute('aria-pressed', 'false')
  await expect
    .element(page.getByRole('article').filter({ hasText: 'Well said' }).getByText('0'))
    .toBeVisible()

  // Visitors cause no call that needs a session.
  more['GET /users/currentuser'] = new Response('', { status: 401 })
  const before = allCalls().length
  await openPage('/video/v1')
  await expect.poll(likes).toBe('7')
  await expect.element(page.getByText('Well said')).toBeVisible()
  expect(
    allCalls()
      .slice(before)
      .filter((call) => call.includes('hasliked')),
  ).toEqual([])
})

test('lists show the newest first regardless of the order of the response', async () => {
  const ascending = [1, 2, 3, 4, 5, 6].map((day) => ({ day, createdAt: `2026-01-0${day}T10:00:00.000Z` }))
  const userVideos = ascending.map(({ day, createdAt: since }) => ({
    ...video,
    _id: `v${day}`,
    title: `Title ${day}`,
    createdAt: since,
  }))
  more = {
    'GET /sub/all/ada': ascending.map(({ day, createdAt: since }) => ({
      // A server clock ahead of the browser.
      createdAt: day === 6 ? '2999-01-01T00:00:00.000Z' : since,
      subscribedToName: { ...friend, username: `bo${day}`, fullname: `Channel ${day}` },
    })),
    'GET /users/videos/ada': { userVideos },
    'GET /users/dashboard/': { userVideos },
  }
  const newest = [6, 5, 4, 3, 2, 1]
  const titles = page.getByRole('article').getByRole('heading')
  for (const [tab, title] of [
    ['videos', 'Ada Brandão'],
    ['dashboard', 'Dashboard'],
  ]) {
    await openPage(`/c/ada/${tab}`)
    await expect.poll(() => textsOf(titles)).toEqual(newest.map((day) => `Title ${day}`))
    await expect.poll(() => document.title).toBe(`${title} · Kinora`)
  }
  const nav = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Channel/ })
  await expect.poll(() => nav.elements().length).toBe(5)
  newest.slice(0, 5).forEach((day, index) => expect(textsOf(nav)[index]).toContain(`Channel ${day}`))
  for (const [tab, title] of [
    ['history', 'History'],
    ['edit', 'Edit'],
    ['subscribedto', 'Subscribed to'],
  ]) {
    await openPage(`/c/ada/${tab}`)
    await expect.poll(() => document.title).toBe(`${title} · Kinora`)
  }
  const newestEntry = main.getByRole('link', { name: /Channel 6/ }).first()
  await expect.element(newestEntry.getByText('Just now')).toBeVisible()
})

test('empty lists and a missing session are not errors', async () => {
  for (const { method, path } of api) more[`${method} ${path}`] = []
  more = {
    ...more,
    "GET /video/search/it's": [],
    'GET /video/search/Minimal response': [],
    'GET /comment/get/v1': [],
    'GET /users/currentuser': null,
  }
  await openPage('/')
  await expect.element(page.getByText('No videos yet')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await openPage("/search/it's")
  await expect.element(page.getByRole('heading', { name: "No results found for 'it's'" })).toBeVisible()
  await openPage('/video/v1')
  await expect.element(page.getByText('No recommendations available')).toBeVisible()
  await openPage('/c/ada')
  await expect.poll(() => location.pathname).toBe('/login')
})

test('incomplete entries show a fallback and the page still renders', async () => {
  const { videoOwner: _owner, ...ownerless } = { ...video, _id: 'v3', title: 'Without owner' }
  const { commentOwner: _author, ...authorless } = { ...comment, _id: 'c2', content: 'Comment without owner' }
  more = {
    'GET /video/all': [ownerless, null, video],
    'GET /video/search/Minimal response': [ownerless, null, other],
    'GET /comment/get/v1': [authorless, null, comment],
    'GET /sub/all/ada': [
      { createdAt },
      { createdAt, subscribedToName: null },
      { createdAt, subscribedToName: friend },
    ],
    'GET /users/currentuser': { ...user, fullname: undefined },
  }
  await openPage('/')
  await expect.element(card.getByRole('link', { name: 'Minimal response', exact: true })).toBeVisible()
  expect(page.getByRole('article').elements()).toHaveLength(1)
  await expect.element(page.getByText('This video cannot be displayed.')).toBeVisible()
  const nav = page.getByRole('navigation', { name: 'Main' })
  await expect.element(nav.getByRole('link', { name: /Bo Lind/ })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Your channel' })).toBeVisible()
  await openPage('/video/v1')
  await expect.element(page.getByRole('link', { name: 'Also minimal', exact: true })).toBeVisible()
  await expect.element(page.getByRole('article').getByText('Well said')).toBeVisible()
  await expect.element(page.getByText('This video cannot be displayed.')).toBeVisible()
  await expect.element(page.getByText('This comment cannot be displayed.')).toBeVisible()
  expect(page.getByText(/without owner/).elements()).toEqual([])
  await openPage('/c/ada/subscribedto')
  await expect.element(main.getByRole('link', { name: /Bo Lind/ })).toBeVisible()
})

test('a response without any data shows an error', async () => {
  for (const data of [null, {}, []]) {
    more = { 'GET /users/c/bo': data, 'GET /video/v1': [data] }
    for (const path of ['/c/bo/videos', '/video/v1']) {
      await openPage(path)
      await expect.poll(() => location.pathname).toBe('/notfound')
    }
  }
})
