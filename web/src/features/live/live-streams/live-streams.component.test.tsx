import {
  createLiveKey,
  endOwnLiveStream,
  getLiveChannel,
  getLiveKey,
  listLiveShows,
  type LiveChannel,
  type LiveStream,
} from '@kinora/contract/live/live-streams.ts'
import {
  type AnnouncedStream,
  announceStream,
  cancelAnnouncedStream,
  changeAnnouncedStream,
  listAnnouncedStreams,
  replaceAnnouncedPicture,
} from '@kinora/contract/live/announcements.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { settings } from '../../../lib/settings.ts'
import { callsOf, openPage, rejection, reply } from '../../../testing/site.tsx'

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
  visibility: 'private',
  username: 'ines',
  fullname: 'Ines Falk',
  startedAt: '2026-05-02T08:15:30.000Z',
  endedAt: null,
  endReason: null,
  isConnected: true,
  isFromBrowser: false,
  keepsRecording: true,
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

test('says while a stream runs that a second encoder was refused, and not afterwards', async () => {
  const refusal = { reason: 'streams_of_account', at: new Date().toISOString() } as const
  reply(getLiveChannel, { ...channel, stream, refusal })
  await openPage('/studio/live')
  await expect.element(page.getByText('A second encoder was refused while this one streams.')).toBeVisible()
  reply(getLiveChannel, channel)
  await expect.element(page.getByText(/^Start your encoder/)).toBeVisible()
})

test('says why an encoder was refused, and who may not stream', async () => {
  reply(getLiveChannel, { ...channel, refusal: { reason: 'unsupported_audio', at: stream.startedAt } })
  await openPage('/studio/live')
  await expect.element(page.getByText(/Choose AAC/)).toBeVisible()
  reply(getLiveChannel, { ...channel, mayStream: false })
  await expect.element(page.getByText('You may not stream live yet')).toBeVisible()
})

const announced: AnnouncedStream = {
  videoId: 'kD8wLq2nTz5VfB3x',
  title: 'Salt flats',
  description: '',
  visibility: 'unlisted',
  keepsRecording: true,
  startsAt: '2027-05-02T08:15:00.000Z',
  thumbnail: '/media/pictures/x/640.webp',
  hasExpired: false,
  takedownReason: null,
  reminders: 3,
}

test('announces a stream for a time, and shows it with its page', async () => {
  reply(getLiveChannel, channel)
  reply(listAnnouncedStreams, [])
  reply(announceStream, announced)
  await openPage('/studio/live')
  await page.getByRole('button', { name: 'Announce a stream' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabelText('Title').fill('Salt flats')
  await dialog.getByLabelText('Begins').fill('2027-05-02T10:15')
  await dialog.getByLabelText('Visibility').selectOptions('unlisted')
  reply(listAnnouncedStreams, [announced])
  await dialog.getByRole('button', { name: 'Announce' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(callsOf(announceStream)).toMatchObject([
    {
      body: {
        title: 'Salt flats',
        visibility: 'unlisted',
        keepsRecording: true,
        startsAt: new Date('2027-05-02T10:15').toISOString(),
      },
    },
  ])
  const row = page.getByRole('list', { name: 'Announced streams' }).getByRole('listitem')
  await expect.element(row.getByText(/3 reminders/)).toBeVisible()
  await expect
    .element(row.getByRole('link', { name: 'Watch page' }))
    .toHaveAttribute('href', `/video/${announced.videoId}`)
})

test('gives a stream that did not begin another time, and cancels one after a question', async () => {
  reply(getLiveChannel, channel)
  reply(listAnnouncedStreams, [{ ...announced, hasExpired: true }])
  reply(changeAnnouncedStream, announced)
  reply(cancelAnnouncedStream, null)
  await openPage('/studio/live')
  await expect.element(page.getByText('Did not start')).toBeVisible()
  await page.getByRole('button', { name: 'Announce again' }).click()
  reply(listAnnouncedStreams, [announced])
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('Did not start')).not.toBeInTheDocument()
  expect(callsOf(changeAnnouncedStream)).toMatchObject([
    { body: { title: 'Salt flats', visibility: 'unlisted' } },
  ])
  await page.getByRole('button', { name: 'Cancel the stream Salt flats' }).click()
  await expect.element(page.getByText(/3 people asked to be reminded/)).toBeVisible()
  reply(listAnnouncedStreams, [])
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the stream' }).click()
  await expect.element(page.getByText('Salt flats was cancelled.')).toBeVisible()
})

test('asks who may see the stream of a private show, and announces it once though its picture fails', async () => {
  const show = {
    id: '7',
    title: 'Salt flats',
    description: '',
    visibility: 'private',
    keepsRecording: true,
  } as const
  reply(getLiveChannel, channel)
  reply(listAnnouncedStreams, [])
  reply(listLiveShows, [show])
  reply(announceStream, announced)
  reply(changeAnnouncedStream, announced)
  reply(replaceAnnouncedPicture, () => rejection('internal'))
  await openPage('/studio/live')
  await page.getByRole('button', { name: 'Announce a stream' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabelText('Show').selectOptions('7')
  await expect.element(dialog.getByLabelText('Visibility')).toHaveValue('')
  const submit = dialog.getByRole('button', { name: 'Announce' })
  await submit.click()
  await expect.element(dialog.getByLabelText('Visibility')).toBeInvalid()
  expect(callsOf(announceStream)).toEqual([])
  await dialog.getByLabelText('Visibility').selectOptions('unlisted')
  const canvas = new OffscreenCanvas(1, 1)
  canvas.getContext('2d')
  const picture = await canvas.convertToBlob()
  await userEvent.upload(
    dialog.getByLabelText('Picture'),
    new File([picture], 'dawn.png', { type: picture.type }),
  )
  await submit.click()
  await expect.poll(() => callsOf(replaceAnnouncedPicture)).toHaveLength(1)
  await expect.element(submit).toBeEnabled()
  reply(replaceAnnouncedPicture, announced)
  await submit.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(callsOf(announceStream)).toHaveLength(1)
  expect(callsOf(changeAnnouncedStream)).toHaveLength(1)
})

test('an announcement that was taken down has its reason, and can only be cancelled', async () => {
  reply(getLiveChannel, channel)
  reply(listAnnouncedStreams, [{ ...announced, takedownReason: 'Spam' }])
  await openPage('/studio/live')
  const row = page.getByRole('list', { name: 'Announced streams' }).getByRole('listitem')
  await expect.element(row.getByText('Spam')).toBeVisible()
  await expect.element(row.getByRole('button', { name: 'Cancel the stream Salt flats' })).toBeVisible()
  expect(row.getByRole('button', { name: 'Change' }).query()).toBeNull()
})

test('an announced stream leaves the list when it has begun, and is not the next one after its end', async () => {
  const due = { ...announced, startsAt: new Date(Date.now() + 60_000).toISOString() }
  reply(getLiveChannel, channel)
  reply(listAnnouncedStreams, [due])
  await openPage('/studio/live')
  const next = page.getByText('It begins your announced stream “Salt flats”.')
  await expect.element(next).toBeVisible()
  reply(listAnnouncedStreams, [])
  reply(getLiveChannel, { ...channel, stream: { ...stream, videoId: due.videoId, title: due.title } })
  await expect.element(page.getByText('Private: only you').first()).toBeVisible()
  await expect
    .element(page.getByRole('button', { name: 'Cancel the stream Salt flats' }))
    .not.toBeInTheDocument()
  const ended = { endedAt: stream.startedAt, endReason: 'stopped' } as const
  reply(getLiveChannel, { ...channel, stream: { ...stream, ...ended, videoId: due.videoId } })
  await expect.element(page.getByText(/^Start your encoder/)).toBeVisible()
  await expect.element(next).not.toBeInTheDocument()
})

test('asks to wait while encoders are refused, after the owner has ended a stream', async () => {
  const refusal = { reason: 'ended_by_owner', at: new Date().toISOString() } as const
  const ended = { ...stream, endReason: 'ended_by_owner' } as const
  const endedAt = new Date(Date.now() - 57_000).toISOString()
  reply(getLiveChannel, { ...channel, stream: { ...ended, endedAt }, refusal })
  await openPage('/studio/live')
  await expect.element(page.getByText(/^Wait a minute before you start your encoder/)).toBeVisible()
  await expect.element(page.getByText(/^Start your encoder/), { timeout: 10_000 }).toBeVisible()
})

test('a stream from a browser says who may see it, and speaks of no encoder', async () => {
  const health = stream.health && { ...stream.health, keyframeSeconds: 2 }
  reply(getLiveChannel, { ...channel, stream: { ...stream, health, isFromBrowser: true } })
  await openPage('/studio/live')
  await expect.element(page.getByText('Your stream arrives.')).toBeVisible()
  await expect.element(page.getByRole('definition').getByText('Private: only you')).toBeVisible()
})
