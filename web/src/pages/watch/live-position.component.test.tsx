import { videoId } from '@kinora/contract/examples/samples.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { putPosition } from '@kinora/contract/watching/history.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { callsOf, exampleData, openPage, reply } from '../../testing/site.tsx'

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
