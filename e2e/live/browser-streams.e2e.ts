import type { Page } from 'playwright-core'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'
import { findViolations } from '../fixtures/accessibility.ts'
import { fakeDevices } from '../fixtures/fake-devices.ts'
import { untilPlaying } from '../fixtures/player.ts'
import { startSite } from '../fixtures/site.ts'
import { expect, test } from '../fixtures/test.ts'
import { timerSeconds } from '../fixtures/timer.ts'
import { createAccount, newUser } from '../fixtures/users.ts'

test.use(fakeDevices)

async function chooseDevices(page: Page): Promise<void> {
  const sources = page.getByRole('region', { name: 'Sources' })
  await sources.getByRole('combobox', { name: 'Camera' }).selectOption({ index: 1 })
  await sources.getByRole('combobox', { name: 'Microphone' }).selectOption({ index: 1 })
}

test('somebody goes live from a browser, another one watches, the line breaks, the page is reloaded, and the video stays', async ({
  newVisitor,
}) => {
  const rtmpPort = await findQuietPort()
  const site = await startSite({ LIVE: 'true', RTMP_HOST: '127.0.0.1', RTMP_PORT: String(rtmpPort) })
  try {
    const owner = await newVisitor()
    const user = await createAccount(owner, newUser(), site.url)
    await site.runCommand('user', 'role', user.username, '--to', 'administrator')
    await owner.request.post(`${site.url}/api/v1/users/login`, {
      form: { email: user.email, password: user.password },
    })
    await owner.request.put(`${site.url}/api/v1/studio/live`, {
      data: { title: 'From the kitchen', description: '', visibility: 'public', keepsRecording: true },
    })

    await owner.goto(`${site.url}/studio/live`)
    await owner.getByRole('link', { name: 'Stream from this browser' }).click()
    const start = owner.getByRole('button', { name: 'Start the stream' })
    await expect(start).toBeDisabled()
    await chooseDevices(owner)
    expect(await findViolations(owner)).toEqual([])
    await start.click()
    await expect(owner.getByText(/viewers? now/)).toBeVisible()

    const [watched] = await Promise.all([
      owner.context().waitForEvent('page'),
      owner.getByRole('link', { name: 'Open the page of the stream' }).click(),
    ])
    await watched.waitForURL('**/video/*')
    const address = watched.url()
    await watched.close()
    const visitor = await newVisitor()
    await visitor.goto(address)
    await untilPlaying(visitor)
    await expect(visitor.getByText('Live', { exact: true })).toBeVisible()

    // the line is gone for a while, and nothing of the stream is lost
    await owner.context().setOffline(true)
    await expect(owner.getByText(/^Connection lost/)).toBeVisible()
    const before = await timerSeconds(owner)
    await expect.poll(() => timerSeconds(owner)).toBeGreaterThan(before + 4)
    await owner.context().setOffline(false)
    await expect(owner.getByText(/^Connection lost/)).toHaveCount(0)
    await expect.poll(() => timerSeconds(owner)).toBeGreaterThan(20)

    // the same page continues after a reload
    owner.once('dialog', (dialog) => void dialog.accept())
    await owner.reload()
    await expect(owner.getByText(/^Your stream waits for its connection/)).toBeVisible()
    await chooseDevices(owner)
    await start.click()
    await expect(owner.getByText(/viewers? now/)).toBeVisible()
    await expect.poll(() => timerSeconds(owner)).toBeGreaterThan(24)
    const length = await timerSeconds(owner)

    await owner.getByRole('button', { name: 'End the stream' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await owner.getByRole('link', { name: 'Open the video' }).click()
    await expect(visitor.getByText('Live', { exact: true })).toHaveCount(0)
    await visitor.reload()
    await untilPlaying(visitor)
    await expect
      .poll(() => visitor.locator('video').evaluate((video: HTMLVideoElement) => video.duration))
      .toBeGreaterThan(length - 2)
  } finally {
    await site.stop()
  }
})
