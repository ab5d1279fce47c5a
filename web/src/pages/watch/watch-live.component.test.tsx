import { videoId } from '@kinora/contract/examples/samples.ts'
import { getLiveStatus, type LiveStatus } from '@kinora/contract/live/live-streams.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { callsOf, exampleData, openPage, rejection, reply } from '../../testing/site.tsx'

const details = exampleData(getVideo)[0]!
const live = { ...details, isLive: true, hasChat: true } as const
const status: LiveStatus = { ...exampleData(getLiveStatus)!, viewers: 2 }
const player = page.getByRole('region', { name: 'Video player' })
const ended = page.getByText('The stream has ended.')

/** Events of an element that has run out of data, or whose stream was closed. */
const dispatch = (event: 'waiting' | 'emptied') =>
  document.querySelector('video')?.dispatchEvent(new Event(event))

beforeEach(async () => {
  reply(getVideo, [live])
  reply(getLiveStatus, status)
  await openPage(`/video/${videoId}`)
  await page.getByText('2 viewers now').findElement()
})

test('a stream that is deleted while somebody watches has ended', async () => {
  reply(getVideo, () => rejection('not_found'))
  reply(getLiveStatus, () => rejection('not_found'))
  dispatch('emptied')
  await expect.element(ended).toBeVisible()
  const heading = ended.element()
  const { x, y } = heading.getBoundingClientRect()
  expect(document.elementFromPoint(x + 4, y + 4)).toBe(heading)
  await expect.element(player).not.toBeInTheDocument()
  await expect.element(page.getByText('Live', { exact: true })).not.toBeInTheDocument()
  await expect.element(page.getByText('Chat', { exact: true })).not.toBeInTheDocument()
})

test('a stream that is not kept has ended for its viewers', async () => {
  reply(getVideo, () => rejection('not_found'))
  reply(getLiveStatus, { ...status, isLive: false, endedAt: status.startedAt })
  dispatch('waiting')
  await expect.element(ended).toBeVisible()
  await expect.element(player).not.toBeInTheDocument()
})

test('the recording of a stream that has ended can be watched', async () => {
  reply(getLiveStatus, { ...status, isLive: false, endedAt: status.startedAt })
  dispatch('waiting')
  await expect.element(ended).toBeVisible()
  await expect.element(player).toBeVisible()
})

test('a page looks less and less often for the recording of a stream that has ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const looks = () => callsOf(getVideo).length
  reply(getLiveStatus, { ...status, isLive: false, endedAt: status.startedAt })
  dispatch('waiting')
  await expect.element(ended).toBeVisible()
  await expect.poll(looks).toBe(2)
  for (let seconds = 0; seconds < 60; seconds += 1) await vi.advanceTimersByTimeAsync(1000)
  await expect.poll(looks).toBeGreaterThan(3)
  expect(looks()).toBeLessThan(10)
  reply(getVideo, [details])
  await vi.advanceTimersByTimeAsync(30_000)
  await expect.element(ended).not.toBeInTheDocument()
})

test('the code of an embedded player has the chat if somebody wants it', async () => {
  await openPage(`/video/${videoId}/share`)
  const dialog = page.getByRole('dialog', { name: 'Share' })
  await expect.element(dialog.getByLabelText('With the chat')).not.toBeInTheDocument()
  await dialog.getByLabelText('Embed on another site').click()
  await dialog.getByLabelText('With the chat').click()
  await expect.element(dialog.getByText(new RegExp(`/embed/${videoId}\\?chat=1"`))).toBeVisible()
})

test('viewers read that the connection of the streamer is lost', async () => {
  reply(getLiveStatus, { ...status, isConnected: false })
  dispatch('waiting')
  const lost = page.getByText(/connection of the streamer is lost/)
  await expect.element(lost).toBeVisible()
  reply(getLiveStatus, status)
  dispatch('waiting')
  await expect.element(lost).not.toBeInTheDocument()
})
