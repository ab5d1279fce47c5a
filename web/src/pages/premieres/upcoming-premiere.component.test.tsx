import { video, videoId } from '@kinora/contract/examples/samples.ts'
import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { deleteReminder, getPremiere, type Premiere, putReminder } from '@kinora/contract/live/premieres.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { callsOf, exampleData, openPage, rejection, reply, signOut } from '../../testing/site.tsx'

const path = `/video/${videoId}`
const details = exampleData(getVideo)[0]!
const announced = exampleData(getPremiere)

/** A premiere that begins later, by a clock of the server that is an hour ahead. */
function announce(inSeconds: number, premiere: Partial<Premiere> = {}): string {
  const startsAt = new Date(Date.now() + 3600_000 + inSeconds * 1000).toISOString()
  reply(getPremiere, () => ({
    ...announced,
    startsAt,
    now: new Date(Date.now() + 3600_000).toISOString(),
    ...premiere,
  }))
  return startsAt
}

test('visitors see the countdown of a premiere that has not begun, by the clock of the server', async () => {
  signOut()
  reply(getVideo, () => rejection('not_found'))
  announce(2 * 86_400 + 3723)
  await openPage(path)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(video.title)
  await expect
    .poll(() => document.querySelector('[role=timer]')?.textContent)
    .toMatch(/^2 days 1:0[012]:\d\d$/)
  expect(document.querySelector('video')).toBeNull()
})

test('a visitor who wants to be reminded signs in first', async () => {
  signOut()
  reply(getVideo, () => rejection('not_found'))
  announce(600)
  await openPage(path)
  await page.getByRole('button', { name: 'Remind me' }).click()
  await expect.element(page.getByRole('heading', { name: /sign in|login/i }).first()).toBeVisible()
  expect(callsOf(putReminder)).toEqual([])
})

test('a member is reminded, and takes it back', async () => {
  reply(getVideo, () => rejection('not_found'))
  announce(600)
  await openPage(path)
  const remind = page.getByRole('button', { name: 'Remind me' })
  await remind.click()
  await expect.element(remind).toHaveAttribute('aria-pressed', 'true')
  await expect.element(remind).toHaveFocus()
  await expect.poll(() => callsOf(putReminder)).toHaveLength(1)
  await remind.click()
  await expect.element(remind).toHaveAttribute('aria-pressed', 'false')
  expect(callsOf(deleteReminder)).toHaveLength(1)
})

test('starts the video by itself once the site has published it', async () => {
  reply(getVideo, () => rejection('not_found'))
  const premiereAt = announce(0)
  await openPage(path)
  await expect.element(page.getByText('Begins in a moment')).toBeVisible()
  reply(getVideo, [{ ...details, premiereAt, duration: 7200 }])
  await expect.element(page.getByRole('region', { name: 'Video player' })).toBeVisible()
})

test('people who may see the video already can preview it', async () => {
  const premiereAt = announce(3600)
  reply(getVideo, [{ ...details, visibility: 'scheduled', premiereAt }])
  await openPage(path)
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect.element(page.getByRole('region', { name: 'Video player' })).toBeVisible()
})

test('a video that is neither visible nor announced is not found', async () => {
  reply(getVideo, () => rejection('not_found'))
  reply(getPremiere, () => rejection('not_found'))
  await openPage(path)
  await expect.poll(() => location.pathname).toBe('/notfound')
})

test('an announced stream counts down, and the page becomes the stream once it has begun', async () => {
  reply(getVideo, () => rejection('not_found'))
  announce(600, { isStream: true })
  await openPage(path)
  await expect.element(page.getByText('Live stream', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('timer')).toBeVisible()
  // minutes before its time: the encoder may begin earlier
  reply(getVideo, [{ ...details, isLive: true }])
  await expect.element(page.getByRole('region', { name: 'Video player' })).toBeVisible()
})

test('an announced stream that is late says so, for hours', async () => {
  signOut()
  reply(getVideo, () => rejection('not_found'))
  announce(-3600, { isStream: true })
  await openPage(path)
  await expect.element(page.getByText('Has not started yet')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Remind me' })).toBeVisible()
})

/** Opens the page of an announced stream, which looks again when the test moves the clock by half a minute. */
async function openCountdown() {
  signOut()
  reply(getVideo, () => rejection('not_found'))
  announce(3600, { isStream: true })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await openPage(path)
  await expect.element(page.getByRole('timer')).toBeVisible()
}

test('an announcement that is withdrawn while its page is open ends the countdown', async () => {
  await openCountdown()
  reply(getPremiere, () => rejection('not_found'))
  vi.advanceTimersByTime(30_000)
  await expect.element(page.getByText('The announcement was withdrawn.')).toBeVisible()
  await expect.element(page.getByRole('timer')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Remind me' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(video.title)
})

test('the countdown stays until it is decided whether its stream was withdrawn or has begun', async () => {
  await openCountdown()
  const begun = Promise.withResolvers<[typeof details]>()
  const before = callsOf(getVideo).length
  reply(getVideo, () => begun.promise)
  reply(getPremiere, () => rejection('not_found'))
  vi.advanceTimersByTime(30_000)
  await expect.poll(() => callsOf(getVideo).length).toBeGreaterThan(before)
  await expect.element(page.getByRole('timer')).toBeVisible()
  begun.resolve([{ ...details, isLive: true }])
  await expect.element(page.getByRole('region', { name: 'Video player' })).toBeVisible()
})

test('members report an announcement, visitors and its owner do not', async () => {
  reply(getVideo, () => rejection('not_found'))
  announce(600, { isStream: true })
  await openPage(path)
  await page.getByRole('button', { name: 'Report' }).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
})

test('the owner of an announced stream is led to where it begins', async () => {
  reply(getVideo, () => rejection('not_found'))
  announce(600, {
    isStream: true,
    videoOwner: { ...announced.videoOwner, _id: exampleData(getCurrentUser)._id },
  })
  await openPage(path)
  await expect.element(page.getByRole('link', { name: 'Go live' })).toHaveAttribute('href', '/studio/live')
})
