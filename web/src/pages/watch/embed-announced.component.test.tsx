import { videoId } from '@kinora/contract/examples/samples.ts'
import { getPremiere } from '@kinora/contract/live/premieres.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { exampleData, openPage, rejection, reply } from '../../testing/site.tsx'

const announced = exampleData(getPremiere)
const missing = page.getByText("This video isn't available")

beforeEach(() => reply(getVideo, () => rejection('not_found')))

test('an embedded stream that is announced counts down, and is the player once it has begun', async () => {
  const startsAt = new Date(Date.now() + 600_000).toISOString()
  reply(getPremiere, () => ({
    ...announced,
    startsAt,
    now: new Date().toISOString(),
    isStream: true as const,
  }))
  await openPage(`/embed/${videoId}`)
  await expect.element(page.getByText('Live stream', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('timer')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Open the video' })).toBeVisible()
  expect(missing.elements()).toEqual([])
  // minutes before its time: the encoder may begin earlier
  reply(getVideo, [{ ...exampleData(getVideo)[0]!, isLive: true }])
  await expect.element(page.getByRole('region', { name: 'Video player' })).toBeVisible()
})

test('an embedded video that is neither visible nor announced is missing', async () => {
  reply(getPremiere, () => rejection('not_found'))
  await openPage(`/embed/${videoId}`)
  await expect.element(missing).toBeVisible()
})
