import { jonas, user, video } from '@kinora/contract/examples/samples.ts'
import { getWatchHistory } from '@kinora/contract/watching/history.ts'
import { getDashboard } from '@kinora/contract/videos/studio.ts'
import { listChannelVideos, getVideo, updateVideo, type Video } from '@kinora/contract/videos/videos.ts'
import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { callsOf, disconnect, exampleData, openPage, publish, rejection, reply } from '../../testing/site.tsx'

const dashboard = `/c/${user.username}/dashboard`
const total = (label: string) => page.getByRole('group', { name: label, exact: true })
const row = (title: string) => page.getByRole('article').filter({ hasText: title })
const main = page.getByRole('main')
const confirmation = page.getByRole('dialog', { name: 'Delete video' })
const confirm = confirmation.getByRole('button', { name: 'Delete', exact: true })
const details = exampleData(getVideo)[0]!

const own = (title: string, more: Partial<Video> = {}): Video => ({
  ...video,
  _id: title.replaceAll(' ', ''),
  title,
  videoOwner: jonas,
  views: 1,
  totalLikes: 1,
  ...more,
})

let videos: Video[]
let nextCursor: string | null

beforeEach(() => {
  videos = []
  nextCursor = null
  reply(getDashboard, () => ({
    totalViews: videos.reduce((sum, { views }) => sum + views, 0),
    totalSubs: 0,
    totalLikes: videos.reduce((sum, { totalLikes }) => sum + totalLikes, 0),
    viewsByDay: [],
    userVideos: videos,
    nextCursor,
  }))
  reply(getVideo, ({ params }) => {
    const found = videos.find(({ _id }) => _id === params['id'])
    return found ? [{ ...details, ...found }] : rejection('not_found', 'This video does not exist')
  })
  reply(deleteVideo, ({ params }) => {
    videos = videos.filter(({ _id }) => _id !== params['id'])
    return null
  })
})

test('a new member sees a greeting, an empty dashboard and a link to upload', async () => {
  await openPage(dashboard)
  await expect.element(page.getByText(`Welcome back, ${user.fullname}`)).toBeVisible()
  for (const label of ['Total views', 'Total subscribers', 'Total likes'])
    await expect.element(total(label).getByText('0')).toBeVisible()
  await expect.element(page.getByText('Nothing published yet')).toBeVisible()
  // Without videos there is no chart above the upload link.
  expect(page.getByRole('figure').elements()).toEqual([])
  await expect
    .element(page.getByRole('link', { name: 'Upload video' }))
    .toHaveAttribute('href', `${dashboard}/upload`)
})

test('a loading dashboard fits the narrowest phone', async () => {
  await page.viewport(320, 640)
  reply(getDashboard, () => new Promise(() => {}))
  await openPage(dashboard)
  await expect.element(page.getByText('Loading your videos')).toBeInTheDocument()
  expect(document.documentElement.scrollWidth).toBe(320)
})

test('missing totals show as 0, and the specified fields are sufficient', async () => {
  const { processing: _beyond, ...specified } = own('Minimal response')
  reply(getDashboard, () => Response.json({ data: { totalViews: 5, userVideos: [specified] } }))
  await openPage(dashboard)
  await expect.element(row('Minimal response')).toBeVisible()
  await expect.element(total('Total views').getByText('5')).toBeVisible()
  await expect.element(total('Total likes').getByText('0')).toBeVisible()
})

test('a video is deleted once, after confirmation only', async () => {
  videos = [own('The one that goes'), own('The one that stays')]
  await openPage('/about')
  await openPage(dashboard)
  await expect.element(total('Total views').getByText('2')).toBeVisible()
  await expect.element(row('The one that goes').getByText('1 view')).toBeVisible()
  await expect.element(row('The one that goes').getByText('1 like')).toBeVisible()
  const link = page.getByRole('link', { name: 'Delete The one that goes' })
  await link.click()
  await expect.poll(() => location.pathname).toBe(`${dashboard}/delete/Theonethatgoes`)
  await expect.element(confirmation.getByText('The one that goes')).toBeVisible()
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(confirmation).not.toBeInTheDocument()
  expect(callsOf(deleteVideo)).toEqual([])

  await link.click()
  // The response is withheld until the second press, which would hit the page under the dialog.
  const held = Promise.withResolvers<void>()
  reply(deleteVideo, async () => {
    await held.promise
    videos = videos.slice(1)
    return null
  })
  await confirm.dblClick()
  held.resolve()
  await expect.element(row('The one that goes')).not.toBeInTheDocument()
  expect(location.pathname).toBe(dashboard)
  await expect.element(total('Total views').getByText('1')).toBeVisible()
  await expect.element(total('Total likes').getByText('1')).toBeVisible()
  expect(callsOf(deleteVideo)).toHaveLength(1)
  // The focus moves to the remaining row.
  await expect
    .element(row('The one that stays').getByRole('link', { name: 'The one that stays', exact: true }))
    .toHaveFocus()
  // The dashboard is in the history once, and the confirmation of a deleted video names no other one.
  history.forward()
  await expect.element(confirmation.getByText(/^This video no longer exists/)).toBeVisible()
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(confirmation).not.toBeInTheDocument()
  history.back()
  await expect.poll(() => location.pathname).toBe('/about')
})

test('a failed deletion returns to the dashboard with an error', async () => {
  videos = [own('Here to stay')]
  await openPage(`${dashboard}/upload`)
  await expect.poll(() => document.title).toBe('Upload video · Kinora')
  await openPage(`${dashboard}/delete/Heretostay`)
  reply(deleteVideo, disconnect)
  await expect.element(confirmation.getByText('Here to stay')).toBeVisible()
  await expect.poll(() => document.title).toBe('Delete video · Kinora')
  await confirm.click()
  await expect.poll(() => location.pathname).toBe(dashboard)
  await expect.element(main.getByRole('alert').getByText(/Here to stay/)).toBeVisible()
  await expect.element(row('Here to stay')).toBeVisible()
  await expect.poll(() => document.title).toBe('Dashboard · Kinora')
  // A second attempt without the failure deletes the video.
  reply(deleteVideo, () => {
    videos = []
    return null
  })
  await page.getByRole('link', { name: 'Delete Here to stay' }).click()
  await confirm.click()
  await expect.element(page.getByText('Nothing published yet')).toBeVisible()
  expect(row('Here to stay').elements()).toEqual([])
})

test('editing or deleting a video of somebody else shows an error on the dashboard', async () => {
  reply(getVideo, [details])
  await openPage('/about')
  await openPage(`${dashboard}/edit/${video._id}`)
  await expect
    .element(page.getByRole('alert').getByText('You can only change your own videos.'))
    .toBeVisible()
  expect(location.pathname).toBe(dashboard)
  expect(page.getByRole('dialog').elements()).toEqual([])
  history.back()
  await expect.poll(() => location.pathname).toBe('/about')
  for (const [id, refusal] of [
    [video._id, 'This video is not yours'],
    ['nosuchvideo', 'This video does not exist'],
  ] as const) {
    reply(deleteVideo, () => rejection('forbidden', refusal))
    if (id !== video._id) reply(getVideo, () => rejection('not_found'))
    await openPage(`${dashboard}/delete/${id}`)
    await expect.element(confirmation.getByText(/^This video no longer exists/)).toBeVisible()
    await confirm.click()
    await expect.poll(() => location.pathname).toBe(dashboard)
    await expect.element(page.getByRole('alert').getByText(refusal)).toBeVisible()
  }
})

test('further pages of videos load on scroll, and their videos can be deleted', async () => {
  videos = [own('The newest')]
  nextCursor = 'older'
  const older = [own('The older'), own('The oldest')]
  reply(listChannelVideos, ({ query }) =>
    query['cursor'] === 'older'
      ? { userVideos: [older[0]!], nextCursor: 'oldest' }
      : { userVideos: older.slice(1), nextCursor: null },
  )
  await openPage(dashboard)
  await expect.element(row('The newest')).toBeVisible()
  const end = page.getByRole('contentinfo')
  await expect
    .poll(() => {
      end.element().scrollIntoView()
      return row('The oldest').elements().length
    })
    .toBe(1)
  expect(
    page
      .getByRole('article')
      .getByRole('heading')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['The newest', 'The older', 'The oldest'])
  // The dialog names the video from the data of its row, without a request.
  await page.getByRole('link', { name: 'Delete The oldest' }).click()
  await expect.element(confirmation.getByText('The oldest')).toBeVisible()
  expect(callsOf(getVideo)).toEqual([])
  reply(deleteVideo, () => {
    older.length = 1
    return null
  })
  await confirm.click()
  await expect.element(row('The oldest')).not.toBeInTheDocument()
  await expect.element(row('The older').getByRole('link', { name: 'The older', exact: true })).toHaveFocus()
})

test('a row shows the progress of encoding without a reload', async () => {
  videos = [
    own('In the making', { views: 0, processing: { state: 'processing', progress: 0, reason: null } }),
  ]
  await openPage(dashboard)
  const entry = row('In the making')
  await expect.element(entry.getByText('Published. Preparing more qualities: 0%')).toBeVisible()
  const videoId = 'Inthemaking'
  await publish('processing', { videoId, state: 'processing', progress: 0.4, reason: null })
  await expect.element(entry.getByText('Published. Preparing more qualities: 40%')).toBeVisible()
  const meter = entry.getByRole('progressbar', { name: 'Processing' })
  await expect.element(meter).toBeVisible()
  await publish('processing', { videoId, state: 'ready', progress: 1, reason: null })
  await expect.element(meter).not.toBeInTheDocument()
  await expect.element(entry.getByText('0 views')).toBeVisible()
})

test('title and description of a video can be edited', async () => {
  videos = [own('Wrnog title')]
  reply(updateVideo, ({ body }) => {
    videos = videos.map((each) => ({ ...each, title: String(body['title']) }))
    return videos[0]!
  })
  await openPage(dashboard)
  await page.getByRole('link', { name: 'Details of Wrnog title' }).click()
  const dialog = page.getByRole('dialog', { name: 'Video details' })
  await dialog.getByLabelText('Title').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog.getByRole('alert').getByText('Title is required')).toBeVisible()
  await dialog.getByLabelText('Title').fill('Right title')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(row('Right title')).toBeVisible()
})

test('the history lists the videos of the response, and asks for no number of them', async () => {
  reply(getWatchHistory, { watchHistory: [], nextCursor: null })
  await openPage(`/c/${user.username}/history`)
  await expect.element(page.getByText('Nothing watched yet')).toBeVisible()
  const watchHistory = [1, 3, 2].map((number) => own(`Reel number ${number}.`))
  reply(getWatchHistory, { watchHistory, nextCursor: null })
  await openPage(`/c/${user.username}/history`)
  await expect.element(page.getByRole('article').nth(2)).toBeVisible()
  const titles = page.getByRole('article').getByRole('heading').elements()
  expect(titles.map(({ textContent }) => textContent)).toEqual(watchHistory.map(({ title }) => title))
  expect(callsOf(getWatchHistory).map(({ query }) => query)).toEqual([{}, {}])
})
