import { videoId } from '@kinora/contract/examples/samples.ts'
import { getLiveStatus, type LiveStatus } from '@kinora/contract/live/live-streams.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { exampleData, openPage, rejection, reply } from '../../testing/site.tsx'

const recording = exampleData(getVideo)[0]!
const live = { ...recording, isLive: true, duration: 1 } as const
const status: LiveStatus = exampleData(getLiveStatus)!
const player = page.getByRole('region', { name: 'Video player' })
const ended = page.getByText('The stream has ended.')
const mark = page.getByText('Live', { exact: true })

beforeEach(async () => {
  reply(getVideo, [live])
  reply(getLiveStatus, status)
  await openPage(`/embed/${videoId}`)
  await mark.first().findElement()
})

/** The event of an element whose stream cannot be loaded. */
const fail = () => document.querySelector('video')?.dispatchEvent(new Event('emptied'))

test('before it plays, an embedded stream has a mark in place of times', async () => {
  await expect.element(player.getByText(/^00:00/)).not.toBeInTheDocument()
  expect(mark.all()).toHaveLength(1)
})

test('an embedded stream that was deleted, or is not kept, has ended', async () => {
  reply(getVideo, () => rejection('not_found'))
  reply(getLiveStatus, () => rejection('not_found'))
  fail()
  await expect.element(ended).toBeVisible()
  await expect.element(player).not.toBeInTheDocument()
})

test('an embedded player says that the connection of the streamer is lost', async () => {
  reply(getLiveStatus, { ...status, isConnected: false })
  fail()
  await expect.element(player.getByText(/connection of the streamer is lost/)).toBeVisible()
})

test('an embedded player whose stream has ended says so until there is a recording', async () => {
  const notice = player.getByRole('status').filter({ hasNotText: /./ })
  // in the accessibility tree before its text, which is announced then
  const element = await notice.first().findElement()
  reply(getLiveStatus, { ...status, isLive: false, endedAt: status.startedAt })
  fail()
  await expect.element(player.getByText('The stream has ended.')).toBeVisible()
  expect(player.getByText('The stream has ended.').element()).toBe(element)
})

test('an embedded stream that has become a video is one', async () => {
  reply(getVideo, [{ ...recording, duration: 60 }])
  reply(getLiveStatus, { ...status, isLive: false, endedAt: status.startedAt })
  fail()
  await expect.element(player.getByText('/ 01:00')).toBeVisible()
  await expect.element(mark).not.toBeInTheDocument()
})
