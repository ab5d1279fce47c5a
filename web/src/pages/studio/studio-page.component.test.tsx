import {
  changeOwnVideo,
  changeOwnVideos,
  deleteOwnVideos,
  getOwnVideo,
  listOwnVideos,
  type OwnVideo,
} from '@kinora/contract/videos/studio.ts'
import { listUnfinishedUploads } from '@kinora/contract/videos/uploads.ts'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, exampleData, openPage, reply } from '../../testing/site.tsx'

const rows = page.getByRole('rowheader')
const titles = () => rows.elements().map(({ textContent }) => textContent)
const cells = (name: string) => page.getByRole('cell', { name }).elements().length
const button = (name: string) => page.getByRole('button', { name })
const select = (title: string) => page.getByLabelText(`Select ${title}`)
const title = page.getByLabelText('Title', { exact: true })
const save = page.getByRole('form', { name: 'Video' }).getByRole('button', { name: 'Save', exact: true })
const saved = page.getByRole('status').filter({ hasText: /^Saved$/ })
const { publishAt: _publishAt, ...example } = exampleData(listOwnVideos).videos[0]!

const own = (name: string): OwnVideo => ({
  ...example,
  _id: name,
  title: name,
  tags: [],
  category: null,
  visibility: 'public',
  publishAt: null,
})

let videos: OwnVideo[]

beforeEach(() => {
  videos = []
  reply(listOwnVideos, ({ query }) => {
    const found = videos.filter((each) => each.title.toLowerCase().includes(query['text'] ?? ''))
    const shown = query['sort'] === 'title' ? found.toSorted((a, b) => a.title.localeCompare(b.title)) : found
    return { videos: shown, total: shown.length }
  })
  reply(changeOwnVideos, ({ body }) => {
    const changes = body['videos'] as (Partial<OwnVideo> & { _id: string })[]
    return changes.map((change) => {
      const isKnown = videos.some(({ _id }) => _id === change._id)
      videos = videos.map((each) => (each._id === change._id ? { ...each, ...change } : each))
      return { _id: change._id, error: isKnown ? null : 'This video does not exist', cause: null }
    })
  })
  reply(deleteOwnVideos, ({ body }) => {
    const ids = body['ids'] as string[]
    videos = videos.filter(({ _id }) => !ids.includes(_id))
    return ids.map((_id) => ({ _id, error: null, cause: null }))
  })
  const detailed = (id: string | undefined) => ({
    ...videos.find(({ _id }) => _id === id)!,
    viewers: [],
    chaptersOfFile: [],
    takedownReportId: null,
  })
  reply(getOwnVideo, ({ params }) => detailed(params['id']))
  reply(changeOwnVideo, ({ params, body }) => {
    videos = videos.map((each) => (each._id === params['id'] ? { ...each, ...body } : each))
    return detailed(params['id'])
  })
})

test('a video that was taken down says why, and leads to the decision', async () => {
  const processing = { state: 'taken_down' as const, progress: 1, reason: 'The music is not yours' }
  videos = [{ ...own('Alder'), processing }]
  reply(getOwnVideo, { ...videos[0]!, viewers: [], chaptersOfFile: [], takedownReportId: '7' })
  await openPage('/studio')
  await expect.poll(() => cells('Taken down')).toBe(1)
  await openPage('/studio/Alder')
  await expect.element(page.getByText('Taken down: The music is not yours')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Read the decision and answer' }))
    .toHaveAttribute('href', '/report/7')
})

test('a live video is marked, and offers only what works while it is live', async () => {
  const live = { ...own('Alder'), isLive: true as const }
  videos = [live]
  await openPage('/studio')
  await expect.element(page.getByRole('link', { name: 'Live Alder' })).toBeVisible()
  await openPage('/studio/Alder')
  const video = page.getByRole('region', { name: 'Alder' })
  await expect.element(video.getByText('Live', { exact: true })).toBeVisible()
  await button('Delete this video…').click()
  await expect.element(video.getByText('It is live: the stream ends for its viewers.')).toBeVisible()
  const ofRecordings = ['Cut', 'Choose a frame', 'Download the original', 'Offer']
  const offered = () =>
    [...document.querySelectorAll('main :is(a, button)')]
      .map(({ textContent }) => textContent)
      .filter((name) => ofRecordings.includes(name))
  expect(offered()).toEqual([])
  videos = [own('Alder')]
  await openPage('/studio/Alder')
  await expect.poll(offered).toEqual(ofRecordings)
})

test('videos are searched, sorted and hidden together, and their deletion can be undone', async () => {
  videos = [own('Cedar'), own('Alder'), own('Birch')]
  await openPage('/studio')
  await expect.poll(() => titles().length).toBe(3)
  await page.getByLabelText('Sort').selectOptions('title')
  await expect.poll(() => titles().join()).toMatch(/Alder.*Birch.*Cedar/)
  const find = page.getByLabelText('Find in your videos')
  await find.fill('birc')
  await expect.poll(() => titles().length).toBe(1)
  await find.fill('')
  await expect.poll(() => titles().length).toBe(3)

  await page.getByLabelText('Select all').click()
  await button('Make unlisted').click()
  await expect.poll(() => cells('Unlisted')).toBe(3)
  await button('Undo').click()
  await expect.poll(() => cells('Public')).toBe(3)

  await select('Alder').click()
  await button('Delete').click()
  await expect.poll(() => titles().length).toBe(2)
  await button('Undo').click()
  await expect.poll(() => titles().length).toBe(3)
  expect(callsOf(deleteOwnVideos)).toEqual([])
  ;(select('Birch').element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  ;(button('Delete').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => titles().length).toBe(2)
  // leaving the page does not undo the deletion
  await page.getByRole('link', { name: 'Cedar', exact: true }).click()
  await expect.poll(() => callsOf(deleteOwnVideos).map(({ body }) => body)).toEqual([{ ids: ['Birch'] }])
})

test('videos that cannot be changed together are named, and the others are changed', async () => {
  videos = [own('Elder'), own('Fir')]
  await openPage('/studio')
  await page.getByLabelText('Select all').click()
  videos = [own('Fir')]
  await button('Make private').click()
  await expect
    .element(page.getByRole('alert').getByText('Could not change “Elder”: This video does not exist'))
    .toBeVisible()
  await expect.element(page.getByText('1 video is now private.')).toBeVisible()
  await expect.poll(() => cells('Private')).toBe(1)
  expect(videos.map(({ visibility }) => visibility)).toEqual(['private'])
})

test('the edit form shows what was changed elsewhere, and saves only what was changed in it', async () => {
  videos = [own('Gorse')]
  const link = page.getByRole('main').getByRole('link', { name: 'Gorse', exact: true })
  const visibility = page.getByLabelText('Visibility')
  await openPage('/studio')
  await link.click()
  await expect.element(visibility).toHaveValue('public')
  await page.getByRole('link', { name: 'All videos' }).click()
  await select('Gorse').click()
  await button('Make private').click()
  await expect.element(page.getByText('1 video is now private.')).toBeVisible()
  await link.click()
  await expect.element(visibility).toHaveValue('private')
  await title.fill('Gorse in May')
  await save.click()
  await expect.element(saved).toBeVisible()
  const [{ body } = { body: {} }] = callsOf(changeOwnVideo)
  expect(body).toMatchObject({ title: 'Gorse in May' })
  expect(Object.keys(body)).not.toContain('visibility')
  expect(Object.keys(body)).not.toContain('publishAt')
})

test('several videos are labelled together, and that is undone', async () => {
  videos = [own('Iris'), own('Juniper')]
  const labels = () => videos.map(({ tags, category }) => [tags.join(), category])
  await openPage('/studio')
  await page.getByLabelText('Select all').click()
  await page.getByText('Tags and category…').click()
  await page.getByLabelText('Tags to add').fill('garden, June')
  await page.getByLabelText('Category').selectOptions('nature')
  await button('Apply').click()
  await expect.element(page.getByText('2 videos are labelled.')).toBeVisible()
  expect(labels()).toEqual([
    ['garden,june', 'nature'],
    ['garden,june', 'nature'],
  ])
  await button('Undo').click()
  await expect.element(page.getByText('Undone.')).toBeVisible()
  expect(labels()).toEqual([
    ['', null],
    ['', null],
  ])
})

test('unsaved changes are kept until their author discards them', async () => {
  videos = [own('Kale')]
  await openPage('/studio')
  await page.getByRole('main').getByRole('link', { name: 'Kale', exact: true }).click()
  await title.fill('Kale in snow')
  await expect.element(page.getByText('Unsaved changes')).toBeVisible()
  const all = page.getByRole('link', { name: 'All videos' })
  await all.click()
  const dialog = page.getByRole('dialog', { name: 'Unsaved changes' })
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(title).toHaveValue('Kale in snow')
  await all.click()
  await dialog.getByRole('button', { name: 'Discard changes' }).click()
  await expect.element(select('Kale')).toBeVisible()

  await openPage('/studio/Kale')
  await title.fill('Kale in sun')
  await save.click()
  await expect.element(saved).toBeVisible()
  await all.click()
  await expect.element(select('Kale in sun')).toBeVisible()
})

test('shows what others are uploading into the channel, and nothing while they do not', async () => {
  const [upload] = exampleData(listUnfinishedUploads)
  let sent = [{ ...upload!, title: 'Low tide', receivedBytes: 250e6, sizeBytes: 1e9 }]
  reply(listUnfinishedUploads, ({ query }) => (query['by'] === 'others' ? sent : []))
  await openPage('/studio')
  const list = page.getByRole('list', { name: 'Uploads of others' })
  await expect.element(list.getByText(`${upload!.uploader!.fullname} · 250 MB of 1.00 GB`)).toBeVisible()
  await expect
    .element(list.getByRole('progressbar', { name: 'Progress of Low tide' }))
    .toHaveAttribute('aria-valuenow', '25')
  sent = []
  await openPage('/studio')
  await expect.element(page.getByText('Videos you upload appear here.')).toBeVisible()
  await expect.element(list).not.toBeInTheDocument()
})
