import {
  cancelTranscription,
  getChannelTranscriptions,
  getTranscription,
  putChannelTranscriptions,
  putTranscription,
  requestChannelTranscriptions,
  requestTranscription,
  type Transcription,
} from '@kinora/contract/videos/transcriptions.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { callsOf, openPage, reply } from '../../../testing/site.tsx'

const transcription: Transcription = {
  isAvailable: true,
  policy: 'all',
  isEnabled: null,
  isChannelEnabled: true,
  state: 'none',
  progress: 0,
  language: null,
  isDetected: false,
  secondsLeft: null,
  reason: null,
  cause: null,
}
const section = () => page.getByRole('region', { name: 'Automatic captions' })

test('the owner asks for captions in a language, sees their progress, and stops them', async () => {
  reply(getTranscription, transcription)
  reply(requestTranscription, { ...transcription, state: 'running', progress: 0.5, secondsLeft: 240 })
  reply(cancelTranscription, { ...transcription, isEnabled: false })
  await openPage('/studio/hT5mQ2xWc9RkB7fL')
  await section().getByLabelText('Spoken language').selectOptions('French')
  await section().getByRole('button', { name: 'Write captions now' }).click()
  expect(callsOf(requestTranscription)[0]?.body).toEqual({ language: 'fr' })
  const heading = section().getByRole('heading', { name: 'Automatic captions' })
  await expect.element(heading).toHaveFocus()
  const status = section().getByRole('status')
  await expect.element(status).toHaveTextContent('The speech is being recognized. Ready in about 4 min.')
  await expect.element(section().getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50')
  await section().getByRole('button', { name: 'Stop' }).click()
  await expect.element(heading).toHaveFocus()
  await expect.element(section().getByLabelText('While the video has no captions')).toHaveValue('off')
})

test('the choice of a video comes before that of its channel', async () => {
  reply(getTranscription, {
    ...transcription,
    state: 'failed',
    reason: 'The speech of this video cannot be recognized',
  })
  reply(putTranscription, { ...transcription, isEnabled: true })
  await openPage('/studio/hT5mQ2xWc9RkB7fL')
  await expect.element(section().getByText('The speech of this video cannot be recognized')).toBeVisible()
  await section().getByLabelText('While the video has no captions').selectOptions('Write them automatically')
  expect(callsOf(putTranscription)[0]?.body).toEqual({ isEnabled: true })
})

test('a site without speech recognition shows none of it', async () => {
  await openPage('/studio/hT5mQ2xWc9RkB7fL')
  await expect.element(page.getByRole('region', { name: 'Captions', exact: true })).toBeVisible()
  expect(callsOf(getTranscription).length).toBe(1)
  await expect.element(section()).not.toBeInTheDocument()
})

test('all older videos of a channel get captions when it asks', async () => {
  reply(getChannelTranscriptions, {
    isAvailable: true,
    policy: 'all',
    isEnabled: true,
    waiting: 0,
    secondsLeft: null,
  })
  reply(requestChannelTranscriptions, {
    isAvailable: true,
    policy: 'all',
    isEnabled: true,
    waiting: 12,
    secondsLeft: 5400,
  })
  reply(putChannelTranscriptions, {
    isAvailable: true,
    policy: 'all',
    isEnabled: false,
    waiting: 12,
    secondsLeft: 5400,
  })
  await openPage('/account/channel')
  await section().getByRole('button', { name: 'Write captions for all older videos' }).click()
  await expect.element(section().getByText('12 videos wait. Ready in about 1 h 30 min.')).toBeVisible()
  await section().getByLabelText('Write captions for videos without any').click()
  expect(callsOf(putChannelTranscriptions)[0]?.body).toEqual({ isEnabled: false })
})

test('a site that writes captions on request alone offers no choice of it', async () => {
  reply(getTranscription, { ...transcription, policy: 'request' })
  await openPage('/studio/hT5mQ2xWc9RkB7fL')
  await expect.element(section().getByRole('button', { name: 'Write captions now' })).toBeVisible()
  await expect.element(section().getByLabelText('While the video has no captions')).not.toBeInTheDocument()
})
