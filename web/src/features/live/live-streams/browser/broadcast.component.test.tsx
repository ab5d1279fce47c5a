import { listAnnouncedStreams } from '@kinora/contract/live/announcements.ts'
import {
  createLiveShow,
  getLiveChannel,
  leaveBrowserStream,
  listLiveShows,
  openBrowserStream,
  putLiveTemplate,
} from '@kinora/contract/live/live-streams.ts'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { settings } from '../../../../lib/settings.ts'
import { callsOf, exampleData, openPage, rejection, reply } from '../../../../testing/site.tsx'

const before = settings.live
beforeAll(() => {
  settings.live = true
})
afterAll(() => {
  settings.live = before
})
beforeEach(() => {
  reply(getLiveChannel, { ...exampleData(getLiveChannel), mayStream: true, stream: null })
})

function drawnStream(): MediaStream {
  const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 })
  const draw = () => canvas.getContext('2d')?.fillRect(0, 0, 320, 240)
  draw()
  const timer = setInterval(draw, 50)
  onTestFinished(() => clearInterval(timer))
  return canvas.captureStream(20)
}

function plugIn(camera: () => Promise<MediaStream>) {
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation(camera)
  onTestFinished(() => void vi.restoreAllMocks())
}

const start = page.getByRole('button', { name: 'Start the stream' })
const chooseCamera = () =>
  userEvent.selectOptions(
    page.getByRole('region', { name: 'Sources' }).getByRole('combobox', { name: 'Camera' }),
    'Camera',
  )

test('nothing begins before there is a picture, and a blocked camera is explained', async () => {
  plugIn(async () => Promise.reject(new DOMException('', 'NotAllowedError')))
  await openPage('/studio/live/browser')
  await expect.element(start).toBeDisabled()
  await chooseCamera()
  await expect.element(page.getByRole('alert').getByText(/^The camera is blocked/)).toBeVisible()
  await expect.element(start).toBeDisabled()
})

test('a camera that is unplugged is said so', async () => {
  const stream = drawnStream()
  plugIn(async () => stream)
  await openPage('/studio/live/browser')
  await chooseCamera()
  await expect.element(start).toBeEnabled()
  const [track] = stream.getTracks()
  track?.stop()
  track?.dispatchEvent(new Event('ended'))
  await expect.element(page.getByText('The camera was disconnected.')).toBeVisible()
})

test('a stream that the server refuses does not begin', async () => {
  plugIn(async () => drawnStream())
  reply(openBrowserStream, () => rejection('forbidden', 'This account may not stream live'))
  await openPage('/studio/live/browser')
  await chooseCamera()
  await start.click()
  await expect.element(page.getByText('This account may not stream live')).toBeVisible()
  await expect.element(start).toBeEnabled()
})

test('a stream that continues keeps its time, and a page that closes says so', async () => {
  plugIn(async () => drawnStream())
  const { stream, ...channel } = exampleData(getLiveChannel)
  if (!stream) throw new Error('The contract has no example')
  const waiting = { ...stream, isFromBrowser: true, isConnected: false, durationSeconds: 68 }
  reply(getLiveChannel, { ...channel, stream: { ...waiting, title: 'Harbour', visibility: 'unlisted' } })
  reply(openBrowserStream, { id: 'next' })
  await openPage('/studio/live/browser')
  await expect.element(page.getByText(/^Your stream waits for its connection\./)).toBeVisible()
  const details = page.getByRole('region', { name: 'Stream', exact: true })
  await expect.element(details.getByText('Harbour')).toBeVisible()
  await expect.element(details.getByText('Unlisted: everybody with the link')).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Next stream' })).not.toBeInTheDocument()
  await chooseCamera()
  await start.click()
  await expect.poll(() => document.querySelector('[role=timer]')?.textContent).toMatch(/^01:(0[89]|[1-5]\d)$/)
  await expect.element(details.getByText('Harbour')).toBeVisible()
  // a page that may return
  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  dispatchEvent(new PageTransitionEvent('pagehide'))
  await expect.poll(() => callsOf(leaveBrowserStream)).toMatchObject([{ params: { id: 'next' } }])
})

test('a stream of an encoder that has lost its connection waits for the encoder, not for this page', async () => {
  plugIn(async () => drawnStream())
  const { stream, ...channel } = exampleData(getLiveChannel)
  if (!stream) throw new Error('The contract has no example')
  reply(getLiveChannel, { ...channel, stream: { ...stream, isConnected: false } })
  await openPage('/studio/live/browser')
  await chooseCamera()
  await expect.element(page.getByText(/^The connection of your encoder is lost\./)).toBeVisible()
  await expect.element(start).toBeDisabled()
  reply(getLiveChannel, { ...channel, stream: { ...stream, endedAt: stream.startedAt, endReason: 'lost' } })
  await expect.element(start).toBeEnabled()
})

test('accounts that may not stream read who can allow it', async () => {
  reply(getLiveChannel, { ...exampleData(getLiveChannel), mayStream: false, stream: null })
  await openPage('/studio/live/browser')
  await expect.element(page.getByText('You may not stream live yet')).toBeVisible()
})

test('a show fills the next stream, and the next stream becomes a show', async () => {
  const [show] = exampleData(listLiveShows)
  if (!show) throw new Error('The contract has no example')
  const evening = { ...show, title: 'Evening show' }
  reply(listLiveShows, [evening])
  reply(putLiveTemplate, () => {
    const channel = { ...exampleData(getLiveChannel), mayStream: true, stream: null, template: evening }
    reply(getLiveChannel, channel)
    return channel
  })
  await openPage('/studio/live')
  await page.getByRole('button', { name: 'Use Evening show for the next stream' }).click()
  await expect.element(page.getByLabelText('Title')).toHaveValue('Evening show')
  await page.getByRole('button', { name: 'Save the next stream as a show' }).click()
  await expect.poll(() => callsOf(createLiveShow)).toHaveLength(1)
})

test('an announced stream that is due is the next one', async () => {
  const [announced] = exampleData(listAnnouncedStreams)
  if (!announced) throw new Error('The contract has no example')
  const late = { ...announced, title: 'Late show', startsAt: new Date(Date.now() + 60_000).toISOString() }
  const tomorrow = { ...late, title: 'Tomorrow', startsAt: new Date(Date.now() + 86_400_000).toISOString() }
  reply(listAnnouncedStreams, [late, tomorrow])
  await openPage('/studio/live/browser')
  const next = page.getByRole('region', { name: 'Next stream' })
  await expect.element(next.getByText('Late show')).toBeVisible()
  await openPage('/studio/live')
  await expect.element(page.getByText('It begins your announced stream “Late show”.')).toBeVisible()
  reply(listAnnouncedStreams, [tomorrow])
  await openPage('/studio/live/browser')
  await expect.element(next).toBeVisible()
  await expect.element(next.getByText('Tomorrow')).not.toBeInTheDocument()
})
