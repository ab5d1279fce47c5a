import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { BufferingIndicator } from './buffering-indicator.tsx'

const status = page.getByRole('status')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const goOffline = () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  dispatchEvent(new Event('offline'))
}

test('says after three seconds that a video still loads', async () => {
  await render(<BufferingIndicator stallReason={null} hasStarted={false} />)
  await vi.advanceTimersByTimeAsync(2900)
  await expect.element(status).toHaveTextContent('Loading video')
  await vi.advanceTimersByTimeAsync(200)
  await expect.element(status).toHaveTextContent('Still loading…')
})

test('says that the browser is offline, and when the video starts', async () => {
  await render(<BufferingIndicator stallReason={null} hasStarted={false} />)
  goOffline()
  await expect
    .element(status)
    .toHaveTextContent('You are offline. The video starts when the connection is back.')
})

test('a video that has begun says that its connection is lost', async () => {
  await render(<BufferingIndicator stallReason={null} hasStarted />)
  goOffline()
  await expect.element(status).toHaveTextContent('Connection lost. Trying again…')
})
