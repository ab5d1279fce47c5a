import {
  createLiveKey,
  endOwnLiveStream,
  getLiveChannel,
  getLiveKey,
  type LiveChannel,
  type LiveStream,
} from '@kinora/contract/live/live-streams.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { settings } from '../../../lib/settings.ts'
import { callsOf, openPage, reply } from '../../../testing/site.tsx'

const before = settings.live
beforeAll(() => {
  settings.live = true
})
afterAll(() => {
  settings.live = before
})

const stream: LiveStream = {
  videoId: 'hT5mQ2xWc9RkB7fL',
  title: 'Rehearsal',
  username: 'ines',
  fullname: 'Ines Falk',
  startedAt: '2026-05-02T08:15:30.000Z',
  endedAt: null,
  endReason: null,
  isConnected: true,
  durationSeconds: 65,
  sizeBytes: 1e7,
  viewers: 3,
  peakViewers: 5,
  health: {
    bitsPerSecond: 3e6,
    keyframeSeconds: 10,
    framesPerSecond: 30,
    width: 1280,
    height: 720,
    hasAudio: true,
    droppedFrames: 0,
    lateMs: 0,
  },
}
const channel: LiveChannel = {
  mayStream: true,
  servers: ['rtmp://video.example.org/live'],
  hasKey: true,
  template: { title: 'Rehearsal', description: '', visibility: 'public', keepsRecording: true },
  stream: null,
  refusal: null,
}

test('shows the key when it is asked for, and replaces it after a question', async () => {
  reply(getLiveChannel, channel)
  reply(getLiveKey, { key: 'first-key' })
  reply(createLiveKey, { key: 'second-key' })
  await openPage('/studio/live')
  await expect.element(page.getByText('rtmp://video.example.org/live')).toBeVisible()
  expect(callsOf(getLiveKey)).toHaveLength(0)
  await page.getByRole('button', { name: 'Show key' }).click()
  await expect.element(page.getByText('first-key')).toBeVisible()
  await page.getByRole('button', { name: 'Replace key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await expect.element(page.getByText('second-key')).toBeVisible()
})

test('advises what to change in the encoder, and ends the stream after a question', async () => {
  reply(getLiveChannel, { ...channel, stream })
  const ended: LiveStream = { ...stream, endedAt: stream.startedAt, endReason: 'ended_by_owner' }
  await openPage('/studio/live')
  await expect.element(page.getByText(/^Keyframes are 10 s apart/)).toBeVisible()
  await page.getByRole('button', { name: 'End the stream' }).click()
  reply(endOwnLiveStream, { ...channel, stream: ended })
  reply(getLiveChannel, { ...channel, stream: ended })
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
  await expect.element(page.getByText(/You ended it\./)).toBeVisible()
})

test('says why an encoder was refused, and who may not stream', async () => {
  reply(getLiveChannel, { ...channel, refusal: { reason: 'unsupported_audio', at: stream.startedAt } })
  await openPage('/studio/live')
  await expect.element(page.getByText(/Choose AAC/)).toBeVisible()
  reply(getLiveChannel, { ...channel, mayStream: false })
  await expect.element(page.getByText('You may not stream live yet')).toBeVisible()
})
