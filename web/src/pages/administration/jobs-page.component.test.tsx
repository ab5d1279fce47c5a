import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import {
  dismissTranscriptions,
  getTranscriptionWork,
  listJobs,
  retryTranscriptions,
  type TranscriptionWork,
} from '@kinora/contract/operations/jobs.ts'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { callsOf, exampleData, openPage, reply } from '../../testing/site.tsx'

const work: TranscriptionWork = {
  isAvailable: true,
  waiting: 12,
  secondsWaiting: 122_400,
  secondsLeft: 72_000,
  failed: [
    {
      _id: 'hT5mQ2xWc9RkB7fL',
      title: 'Lighthouse at dusk',
      owner: 'ines',
      reason: 'The site cannot recognize this language: cy',
      cause: null,
      failedAt: '2026-05-03T09:00:00.000Z',
    },
    {
      _id: 'aB3dE5fG7hJ9kL2m',
      title: 'Harbour',
      owner: 'noor',
      reason: 'The speech of this video cannot be recognized',
      cause: null,
      failedAt: '2026-05-02T09:00:00.000Z',
    },
  ],
}
beforeEach(() => reply(getCurrentUser, { ...exampleData(getCurrentUser), role: 'administrator' }))

const section = () => page.getByRole('region', { name: 'Automatic captions' })

test('lists captions that failed with their reasons, to retry or to take off the list', async () => {
  reply(getTranscriptionWork, work)
  await openPage('/administration/jobs')
  await expect
    .element(section().getByText('12 videos with a length of 34 h in all wait. Ready in about 20 h.'))
    .toBeVisible()
  const table = section().getByRole('table', { name: 'Captions that failed' })
  await expect.element(table.getByText('The site cannot recognize this language: cy')).toBeVisible()
  const [first, second] = work.failed
  reply(getTranscriptionWork, { ...work, failed: second ? [second] : [] })
  await table.getByRole('button', { name: 'Retry Lighthouse at dusk' }).click()
  await expect.element(section().getByRole('status')).toHaveTextContent('Retrying 1 video.')
  await expect.element(section().getByRole('heading')).toHaveFocus()
  expect(callsOf(retryTranscriptions)[0]?.body).toEqual({ ids: [first?._id] })
  reply(getTranscriptionWork, { ...work, waiting: 0, failed: [] })
  await table.getByRole('button', { name: 'Take Harbour off the list' }).click()
  await expect.element(section().getByText('No video waits for captions.')).toBeVisible()
  expect(callsOf(dismissTranscriptions)[0]?.body).toEqual({ ids: [second?._id] })
  await expect.element(table).not.toBeInTheDocument()
})

test('a site that cannot recognize speech shows none of it', async () => {
  reply(getTranscriptionWork, { ...work, isAvailable: false, failed: [] })
  await openPage('/administration/jobs')
  await expect.element(page.getByRole('region', { name: 'Waiting and running' })).toBeVisible()
  await expect.poll(() => callsOf(getTranscriptionWork).length).toBe(1)
  expect(callsOf(listJobs).length).toBeGreaterThan(0)
  await expect.element(section()).not.toBeInTheDocument()
})

test('a single failed caption follows its text without a gap', async () => {
  reply(getTranscriptionWork, { ...work, failed: work.failed.slice(0, 1) })
  await openPage('/administration/jobs')
  const table = section().getByRole('table', { name: 'Captions that failed' })
  await expect.element(table).toBeVisible()
  const text = section().getByText(/^The speech of these videos/)
  const gap = table.element().getBoundingClientRect().top - text.element().getBoundingClientRect().bottom
  expect(gap).toBeLessThan(20)
})
