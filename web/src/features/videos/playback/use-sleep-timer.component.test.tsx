import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useSleepTimer } from './use-sleep-timer.ts'

const pause = vi.fn<() => void>()
const timer = () => page.getByRole('status')

beforeEach(() => {
  sessionStorage.clear()
  pause.mockClear()
})

test('a timer for the end of the video outlasts a page, and ends with the first video that ends', async () => {
  const before = await render(<Timer />)
  await page.getByRole('button', { name: 'End of video' }).click()
  await expect.element(timer()).toHaveTextContent('end-of-video, prevents next')
  await before.unmount()

  const after = await render(<Timer />)
  await expect.element(timer()).toHaveTextContent('end-of-video, prevents next')
  await after.rerender(<Timer isPaused />)
  await page.getByRole('button', { name: 'The video ends' }).click()
  await expect.element(timer()).toHaveTextContent('off, prevents next')
  expect(pause).toHaveBeenCalledOnce()
  await after.rerender(<Timer />)
  await expect.element(timer()).not.toHaveTextContent('prevents next')
  await after.unmount()

  await render(<Timer />)
  await expect.element(timer()).not.toHaveTextContent('prevents next')
})

function Timer({ isPaused = false }: { isPaused?: boolean }) {
  const { sleep, choose, onEnded, preventsNext } = useSleepTimer({ isPaused }, pause)
  return (
    <>
      <button onClick={() => choose('end-of-video')}>End of video</button>
      <button onClick={onEnded}>The video ends</button>
      <output>
        {typeof sleep === 'string' ? sleep : 'off'}
        {preventsNext && ', prevents next'}
      </output>
    </>
  )
}
