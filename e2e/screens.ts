import type { Page, Route } from 'playwright-core'

/** A page in a state to look at. */
export interface Screen {
  name: string
  path: string
  /** Seen by somebody who has not signed in. */
  asVisitor?: boolean
  /** The only widths on which there is such a thing. */
  widths?: readonly number[]
  /** A call that is held, to see what is shown meanwhile. */
  held?: string
  /** What the world is like before the page is opened: answers that are otherwise, a browser that refuses. */
  given?: (page: Page) => Promise<unknown>
  /** What a person does before looking. */
  act?: (page: Page) => Promise<unknown>
}

/** What there is on the site to look at. */
export interface Subjects {
  /** The newest video and who made it; none on an empty site. */
  video: { id: string; owner: string } | undefined
  /** Who is signed in, and their newest video. */
  me: { username: string; videoId: string | undefined } | undefined
}

/** Every screen of the site and every state of it, as far as the site has something to show in it. */
export function listScreens({ video, me }: Subjects): Screen[] {
  return [
    ...homeScreens,
    ...(video ? watchScreens(`/video/${video.id}`, me !== undefined) : []),
    ...(video ? embedScreens(`/embed/${video.id}`) : []),
    ...(video ? channelScreens(`/c/${video.owner}`) : []),
    ...visitorScreens.map((screen) => ({ ...screen, asVisitor: true })),
    ...(me ? ownScreens(`/c/${me.username}`, me.videoId) : []),
  ]
}

const homeScreens: Screen[] = [
  { name: 'home', path: '/' },
  {
    name: 'home-hover',
    path: '/',
    widths: [1440, 2560],
    act: async (page) => {
      const shown = page.waitForResponse(storyboardSheet)
      await page.locator('article').nth(1).locator('img').first().hover()
      await shown
    },
  },
  {
    name: 'home-focus',
    path: '/',
    widths: [1440],
    act: async (page) => {
      // The ring is for those who have used the keyboard.
      await page.keyboard.press('Tab')
      await page.locator('article h2 a').nth(1).focus()
    },
  },
  { name: 'home-loading', path: '/', held: '**/api/v1/video/all*' },
  { name: 'home-end', path: '/', act: (page) => page.getByRole('contentinfo').scrollIntoViewIfNeeded() },
  { name: 'home-empty', path: '/', given: answered('**/api/v1/video/all*', noItems) },
  { name: 'home-failed', path: '/', given: refused('**/api/v1/video/all*', 500) },
  { name: 'home-offline', path: '/', given: (page) => page.route('**/api/v1/**', (route) => route.abort()) },
  {
    name: 'more',
    path: '/',
    widths: [320, 390],
    act: async (page) => {
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'search', path: '/search/the' },
  { name: 'search-none', path: '/search/xyzzyplugh' },
  { name: 'search-loading', path: '/search/the', held: '**/api/v1/video/search/**' },
  { name: 'about', path: '/about' },
  { name: 'error', path: '/no/such/page' },
  { name: 'video-missing', path: '/video/nosuchvideo' },
]

function watchScreens(path: string, isSignedIn: boolean): Screen[] {
  const call = `**/api/v1${path}`
  const screens: Screen[] = [
    { name: 'watch', path },
    { name: 'watch-loading', path, held: call },
    { name: 'watch-controls', path, act: showControls },
    { name: 'watch-preview', path, act: pointAtSeekBar },
    { name: 'watch-quality', path, act: openMenu(/^Quality/) },
    { name: 'watch-speed', path, widths: [390, 768, 1440], act: openMenu(/^Speed/) },
    { name: 'watch-captions', path, given: withCaptions, act: showCaptions },
    { name: 'watch-ended', path, act: goToEnd },
    {
      name: 'watch-waiting',
      path,
      given: (page) => page.route(segments, () => {}),
      act: (page) => player(page).getByRole('status').waitFor(),
    },
    {
      name: 'watch-offline',
      path,
      given: (page) => page.route(segments, abort),
      act: (page) => player(page).getByText('Connection lost').waitFor(),
    },
    { name: 'watch-failed', path, given: refused('**/media/{videos,sources}/**', 404), act: untilAlert },
    { name: 'watch-muted', path, given: withoutAutoplay('sound') },
    { name: 'watch-refused', path, given: withoutAutoplay('all') },
    {
      name: 'watch-menu',
      path,
      act: async (page) => {
        await page.getByRole('button', { name: 'Menu' }).click()
        await page.getByRole('navigation', { name: 'Main' }).waitFor()
      },
    },
    { name: 'watch-theatre', path, act: press('t') },
    { name: 'watch-keys', path, act: press('?') },
    {
      name: 'watch-comments',
      path,
      act: (page) => page.getByRole('region', { name: 'Comments' }).evaluate(scrollTo),
    },
    {
      name: 'watch-bare',
      path,
      given: async (page) => {
        await page.route('**/api/v1/comment/get/**', answering(noItems))
        await page.route('**/api/v1/video/all*', answering(noItems))
        await page.route('**/api/v1/video/search/**', answering(noItems))
      },
    },
    { name: 'share', path: `${path}/share` },
    {
      name: 'share-copied',
      path: `${path}/share`,
      act: (page) => page.getByRole('button', { name: 'Copy' }).click(),
    },
  ]
  if (!isSignedIn) return screens
  return [
    ...screens,
    { name: 'watch-visitor', path, asVisitor: true },
    { name: 'comment', path, act: (page) => page.getByLabel('Add a comment').fill('A line') },
  ]
}

function embedScreens(path: string): Screen[] {
  return [
    { name: 'embed', path },
    { name: 'embed-start', path: `${path}?t=4` },
    { name: 'embed-keys', path, widths: [390, 1440], act: press('?') },
    {
      name: 'embed-playing',
      path,
      act: async (page) => {
        await page.getByRole('button', { name: 'Play video' }).click()
        await showControls(page)
      },
    },
    { name: 'embed-missing', path: '/embed/nosuchvideo', widths: [390, 1440] },
  ]
}

function channelScreens(path: string): Screen[] {
  const videos = '**/api/v1/users/videos/**'
  return [
    { name: 'channel', path },
    { name: 'channel-loading', path, held: '**/api/v1/users/c/**' },
    { name: 'channel-empty', path, given: answered(videos, () => ({ userVideos: [] })) },
    { name: 'subscribed-to', path: `${path}/subscribedto` },
    {
      name: 'subscribed-to-empty',
      path: `${path}/subscribedto`,
      given: answered('**/api/v1/sub/all/**', noItems),
    },
  ]
}

/** Without an account, whoever is signed in for the others. */
const visitorScreens: Screen[] = [
  { name: 'home-visitor', path: '/' },
  { name: 'login', path: '/login' },
  { name: 'login-refused', path: '/login', act: submit },
  {
    name: 'login-wrong',
    path: '/login',
    act: async (page) => {
      await page.getByLabel('Email').fill('nobody@kinora.example')
      await page.getByLabel('Password').fill('not this one')
      await submit(page)
      await untilAlert(page)
    },
  },
  { name: 'register', path: '/register' },
  { name: 'register-refused', path: '/register', act: submit },
]

function ownScreens(channel: string, videoId: string | undefined): Screen[] {
  const dashboard = `${channel}/dashboard`
  const dashboardCall = '**/api/v1/users/dashboard/**'
  const upload = `${dashboard}/upload`
  const screens: Screen[] = [
    { name: 'home-subscriptions-loading', path: '/', widths: [1440], held: '**/api/v1/sub/all/**' },
    { name: 'dashboard', path: dashboard },
    { name: 'dashboard-loading', path: dashboard, held: dashboardCall },
    {
      name: 'dashboard-empty',
      path: dashboard,
      given: answered(dashboardCall, nothingYet),
    },
    { name: 'dashboard-failed', path: dashboard, widths: [390, 1440], given: refused(dashboardCall, 500) },
    { name: 'upload', path: upload },
    {
      name: 'upload-refused',
      path: upload,
      act: (page) => page.getByRole('button', { name: 'Upload', exact: true }).click(),
    },
    { name: 'upload-filled', path: upload, act: (page) => fillUpload(page, 1) },
    { name: 'upload-sending', path: upload, given: sendingHolds, act: sendUpload(/33\.6 MB of/) },
    { name: 'upload-lost', path: upload, given: sendingBreaks, act: sendUpload(/· connection lost/) },
    {
      name: 'upload-failed',
      path: upload,
      given: refused('**/api/v1/uploads', 413, 'The file is too large'),
      act: sendUpload(/too large/),
    },
    { name: 'history', path: `${channel}/history` },
    { name: 'history-loading', path: `${channel}/history`, held: '**/api/v1/users/watchhistory*' },
    {
      name: 'history-empty',
      path: `${channel}/history`,
      given: answered('**/api/v1/users/watchhistory*', noItems),
    },
    { name: 'edit', path: `${channel}/edit` },
    {
      name: 'edit-refused',
      path: `${channel}/edit`,
      act: (page) => page.getByRole('button', { name: 'Save' }).nth(1).click(),
    },
    {
      name: 'delete-account',
      path: `${channel}/edit`,
      act: (page) => page.getByRole('button', { name: 'Delete account' }).click(),
    },
  ]
  if (videoId === undefined) return screens
  return [
    ...screens,
    {
      name: 'dashboard-states',
      path: dashboard,
      given: answered(dashboardCall, (data) => ({ ...data, userVideos: inEveryState(data['userVideos']) })),
      act: (page) => page.getByRole('region', { name: 'Your videos' }).evaluate(scrollTo),
    },
    { name: 'delete', path: `${dashboard}/delete/${videoId}` },
    { name: 'edit-video', path: `${dashboard}/edit/${videoId}` },
  ]
}

// What the world is like

/** The data of an answer; a picture depends on no more of the contract than what is changed here. */
type Data = Record<string, unknown>

function answering(change: (data: Data) => unknown) {
  return async (route: Route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const envelope = (await response.json()) as { data: Data; nextCursor?: unknown }
    await route.fulfill({ response, json: { ...envelope, data: change(envelope.data), nextCursor: null } })
  }
}

function answered(call: string, change: (data: Data) => unknown) {
  return (page: Page) => page.route(call, answering(change))
}

function refused(call: string, status: number, message = 'Something went wrong') {
  const json = { success: false, statusCode: status, message, errors: [] }
  return (page: Page) => page.route(call, (route) => route.fulfill({ status, json }))
}

function noItems() {
  return []
}

function nothingYet({ viewsByDay, ...data }: Data) {
  const unseen = (viewsByDay as Data[]).map((day) => ({ ...day, views: 0 }))
  return { ...data, totalViews: 0, totalSubs: 0, totalLikes: 0, userVideos: [], viewsByDay: unseen }
}

function inEveryState(videos: unknown) {
  const states = [
    { state: 'processing', progress: 0.64, reason: null },
    { state: 'failed', progress: 0.4, reason: 'The file ends in the middle of the film.' },
    { state: 'taken_down', progress: 1, reason: 'A complaint about the music.' },
  ]
  return (videos as Data[]).map((video, index) => ({
    ...video,
    processing: states[index] ?? video['processing'],
  }))
}

const segments = /\/media\/videos\/.*\.(m4s|mp4|ts)/
const abort = (route: Route) => route.abort()

/** The browser begins nothing by itself: nothing at all, or nothing with sound. */
function withoutAutoplay(what: 'sound' | 'all') {
  return (page: Page) =>
    page.addInitScript((kept) => {
      const { play } = HTMLMediaElement.prototype
      HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
        if (kept === 'sound' && this.muted) return play.call(this)
        return Promise.reject(new DOMException('Nobody has pressed anything', 'NotAllowedError'))
      }
    }, what)
}

async function withCaptions(page: Page) {
  const spoken =
    'WEBVTT\n\n00:00.000 --> 01:00:00.000\nNobody is in a hurry here.\nThat is what I came for.\n'
  await page.route('**/captions-*.vtt', (route) => route.fulfill({ contentType: 'text/vtt', body: spoken }))
  const captions = ['English', 'Français', 'Norsk'].map((label) => ({
    label,
    language: label.slice(0, 2).toLowerCase(),
    url: `/captions-${label.slice(0, 2)}.vtt`,
  }))
  const change = (data: Data) => (data as unknown as Data[]).map((video) => ({ ...video, captions }))
  await page.route(/\/api\/v1\/video\/[^/?]{12,}$/, answering(change))
}

const uploads = /\/api\/v1\/uploads(\/|$)/
const resumable = { 'tus-resumable': '1.0.0' }

/** The first part of the file arrives, the next one is on its way. */
function sendingHolds(page: Page) {
  return sending(page, () => Promise.resolve())
}

/** The first part of the file arrives, then the line is dead. */
function sendingBreaks(page: Page) {
  return sending(page, abort)
}

function sending(page: Page, afterFirst: (route: Route) => Promise<void>) {
  let parts = 0
  return page.route(uploads, (route) => {
    const method = route.request().method()
    if (method === 'POST') {
      const location = '/api/v1/uploads/picture'
      return route.fulfill({ status: 201, headers: { ...resumable, location } })
    }
    if (method !== 'PATCH') return route.abort()
    parts += 1
    const offset = { 'upload-offset': String(32 * 1024 * 1024) }
    return parts === 1
      ? route.fulfill({ status: 204, headers: { ...resumable, ...offset } })
      : afterFirst(route)
  })
}

// What people do

const press = (key: string) => async (page: Page) => {
  await page.locator('video').waitFor()
  await page.keyboard.press(key)
}

function submit(page: Page) {
  return page.locator('main button[type=submit]').click()
}

const player = (page: Page) => page.getByRole('region', { name: 'Video player' })

async function untilPlaying(page: Page) {
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1)
}

/** Paused, so that the controls stay. */
async function showControls(page: Page) {
  await untilPlaying(page)
  await page.keyboard.press('k')
}

const storyboardSheet = /\/storyboard\d*\/.*\.jpg/

async function pointAtSeekBar(page: Page) {
  await showControls(page)
  const shown = page.waitForResponse(storyboardSheet)
  const box = await page.getByRole('slider', { name: 'Seek' }).boundingBox()
  if (box) await page.mouse.move(box.x + box.width * 0.62, box.y + box.height / 2)
  await shown
}

function openMenu(name: RegExp) {
  return async (page: Page) => {
    await showControls(page)
    await player(page).getByRole('button', { name }).click()
  }
}

async function showCaptions(page: Page) {
  await showControls(page)
  await page.keyboard.press('c')
}

async function goToEnd(page: Page) {
  await untilPlaying(page)
  await page.locator('video').evaluate((video: HTMLVideoElement) => (video.currentTime = video.duration))
}

async function untilAlert(page: Page) {
  await page.getByRole('alert').first().waitFor()
}

function scrollTo(element: Element) {
  element.scrollIntoView()
}

async function fillUpload(page: Page, megabytes: number) {
  await page.getByLabel('Title').fill('Frost on the boathouse, first light')
  await page
    .getByLabel('Description')
    .fill(
      'Shot on the last morning before the lake closed. One lens, no grade, and a thermos that did not survive.',
    )
  await page.locator('dialog').evaluate(
    (dialog, bytes) => {
      const pick = (name: string, file: File) => {
        const field = dialog.querySelector<HTMLInputElement>(`input[name="${name}"]`)
        if (!field) throw new Error(`There is no field ${name}`)
        const files = new DataTransfer()
        files.items.add(file)
        field.files = files.files
        field.dispatchEvent(new Event('change', { bubbles: true }))
      }
      const head = Uint8Array.from([0, 0, 0, 16, ...new TextEncoder().encode('ftypisom'), 0, 0, 2, 0])
      pick('video', new File([head, new Uint8Array(bytes)], 'boathouse-final.mp4', { type: 'video/mp4' }))
      const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 720 })
      const brush = canvas.getContext('2d')
      if (brush) {
        const sky = brush.createLinearGradient(0, 0, 0, 720)
        for (const [index, colour] of ['#46558f', '#c97f86', '#f3a26c', '#5a4a66'].entries())
          sky.addColorStop(index / 3, colour)
        brush.fillStyle = sky
        brush.fillRect(0, 0, 1280, 720)
      }
      const [, base64 = ''] = canvas.toDataURL('image/png').split(',')
      const png = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0)
      pick('thumbnail', new File([png], 'first-light.png', { type: 'image/png' }))
    },
    megabytes * 1024 * 1024,
  )
}

function sendUpload(shown: RegExp) {
  return async (page: Page) => {
    await fillUpload(page, 70)
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.locator('dialog').getByText(shown).first().waitFor()
  }
}
