import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { openPage } from '../../../../testing/site.tsx'

/** A device nearby, as browsers present it: https://www.w3.org/TR/remote-playback/#the-remoteplayback-interface */
class Device extends EventTarget {
  watchAvailability(listener: (isAvailable: boolean) => void) {
    listener(true)
    return Promise.resolve(1)
  }
  cancelWatchAvailability() {
    return Promise.resolve()
  }
  prompt() {
    this.dispatchEvent(new Event('connect'))
    return Promise.resolve()
  }
}

function placeDevice(): Device {
  const device = new Device()
  const before = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'remote')
  Object.defineProperty(HTMLMediaElement.prototype, 'remote', { configurable: true, get: () => device })
  onTestFinished(() => {
    if (before) Object.defineProperty(HTMLMediaElement.prototype, 'remote', before)
  })
  return device
}

test('a video continues on another device, and here once it leaves', async () => {
  const device = placeDevice()
  await openPage('/video/hT5mQ2xWc9RkB7fL')
  await page.getByRole('button', { name: 'Watch on another device' }).click()
  const remote = page.getByRole('group', { name: 'On another device' })
  await expect.element(remote.getByRole('button', { name: 'Continue here' })).toBeVisible()
  const element = () => document.querySelector<HTMLVideoElement>('[role=group] > video')
  expect(element()?.src).toMatch(/\/media\/videos\/hT5mQ2xWc9RkB7fL\/master\.m3u8$/)
  device.dispatchEvent(new Event('disconnect'))
  await expect.element(remote).not.toBeInTheDocument()
})
