import { videoId } from '@kinora/contract/examples/samples.ts'
import { getLiveStatus } from '@kinora/contract/live/live-streams.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { putPosition } from '@kinora/contract/watching/history.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { callsOf, exampleData, openPage, rejection, reply } from '../../testing/site.tsx'

const details = exampleData(getVideo)[0]!
const heading = page.getByRole('heading', { level: 1, name: details.title })

/** Leaves the page of a video that has played to a position. */
async function leaveAt(seconds: number): Promise<void> {
  await openPage(`/video/${videoId}`)
  await heading.findElement()
  const element = document.querySelector('video')!
  Object.defineProperty(element, 'currentTime', { value: seconds })
  Object.defineProperty(element, 'played', { value: { length: 1 } })
  dispatchEvent(new Event('pagehide'))
}

test('no position is saved in a live stream, and one is in its recording', async () => {
  reply(getVideo, [{ ...details, isLive: true, duration: 1 }])
  await leaveAt(40)
  expect(callsOf(putPosition)).toEqual([])
  reply(getVideo, [{ ...details, duration: 100 }])
  await leaveAt(40)
  await expect.poll(() => callsOf(putPosition).length).toBeGreaterThan(0)
})

const ended = { ...exampleData(getLiveStatus)!, isLive: false, endedAt: '2026-05-03T20:10:00.000Z' }
const like = page.getByRole('button', { name: 'Like', exact: true })

test('the page says that the recording follows a stream that has ended', async () => {
  reply(getVideo, [{ ...details, isLive: true, duration: 1 }])
  await openPage(`/video/${videoId}`)
  await page.getByText('Live', { exact: true }).findElement()
  reply(getVideo, [{ ...details, duration: 100 }])
  reply(getLiveStatus, ended)
  document.querySelector('video')!.dispatchEvent(new Event('waiting'))
  await expect.element(page.getByText('The stream has ended. This is its recording.')).toBeVisible()
})

test('nothing can be liked or written below a stream that was deleted', async () => {
  reply(getVideo, [{ ...details, isLive: true, duration: 1 }])
  await openPage(`/video/${videoId}`)
  await page.getByText('Live', { exact: true }).findElement()
  await expect.element(like).toBeVisible()
  reply(getVideo, () => rejection('not_found'))
  reply(getLiveStatus, () => rejection('not_found'))
  document.querySelector('video')!.dispatchEvent(new Event('emptied'))
  await expect.element(page.getByText('It cannot be watched any more.')).toBeVisible()
  await expect.element(like).not.toBeInTheDocument()
  await expect.element(page.getByRole('textbox', { name: /comment/i })).not.toBeInTheDocument()
})
