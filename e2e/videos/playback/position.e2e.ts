import { publishLongClip, untilPlaying, videoState } from '../../fixtures/player.ts'
import { expect, test } from '../../fixtures/test.ts'
import { signIn } from '../../fixtures/users.ts'

test('volume, speed, theatre mode and position are restored after a reload', async ({ page, newVisitor }) => {
  const id = await publishLongClip(page)
  const visitor = await newVisitor()
  await visitor.goto(`/video/${id}`)
  await untilPlaying(visitor)
  await visitor.getByRole('slider', { name: 'Volume' }).fill('40')
  await visitor.keyboard.press('>')
  await visitor.keyboard.press('t')
  await visitor.keyboard.press('k')
  await visitor.keyboard.press('5')
  await expect.poll(async () => (await videoState(visitor)).currentTime).toBeCloseTo(15, 0)
  await visitor.reload()
  expect(await untilPlaying(visitor)).toBeGreaterThan(14)
  expect(await videoState(visitor)).toMatchObject({ volume: 0.4, playbackRate: 1.25 })
  await visitor.getByRole('button', { name: 'Theatre mode', pressed: true }).waitFor()

  // A start time in the address takes precedence.
  await visitor.goto(`/video/${id}?t=3`)
  const start = await untilPlaying(visitor)
  expect(start).toBeGreaterThanOrEqual(3)
  expect(start).toBeLessThan(10)
})

test('a seek right before leaving the page is remembered @nightly', async ({ page, newVisitor }) => {
  const id = await publishLongClip(page)
  const visitor = await newVisitor()
  const positions = () => visitor.evaluate(() => localStorage.getItem('kinora.positions.visitor'))
  await visitor.goto(`/video/${id}`)
  await untilPlaying(visitor)
  // One script, so that the page is left before the `seeked` event.
  const positionsOnLeave = await visitor.evaluate(() => {
    document.querySelector('video')!.currentTime = 15
    dispatchEvent(new Event('pagehide'))
    return localStorage.getItem('kinora.positions.visitor')
  })
  expect(positionsOnLeave).toBe(JSON.stringify([[id, 15]]))
  await visitor.evaluate(() => {
    document.querySelector('video')!.currentTime = 17
    document.querySelector<HTMLAnchorElement>('a[href="/"]')!.click()
  })
  await visitor.waitForURL('/')
  await expect.poll(positions).toMatch(/,1[78]\]\]$/)
})

test('a start time beyond the end is ignored @nightly', async ({ page }) => {
  const id = await publishLongClip(page)
  for (const address of [`/video/${id}?t=5000`, `/embed/${id}?t=5000&autoplay=1`]) {
    await page.goto(address)
    expect(await untilPlaying(page)).toBeLessThan(10)
  }
})

test('a position continues on another device of the same account @nightly', async ({ page, newVisitor }) => {
  const id = await publishLongClip(page)
  const user = await signIn(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  const saved = page.waitForResponse(
    (response) =>
      response.url().includes('/users/position/') &&
      response.request().method() === 'PUT' &&
      Math.floor(response.request().postDataJSON().positionSeconds) === 15,
  )
  await page.keyboard.press('5')
  await page.keyboard.press('k')
  expect((await saved).ok()).toBe(true)
  const otherDevice = await newVisitor()
  await signIn(otherDevice, user)
  await otherDevice.goto(`/video/${id}`)
  // A video that started at 0 would be below 14 when first seen beyond 10.
  expect(await untilPlaying(otherDevice, 10)).toBeGreaterThan(14)
})

test('timestamps in a description link to their position @nightly', async ({ page }) => {
  const id = await publishLongClip(page)
  await page.goto(`/video/${id}`)
  await untilPlaying(page)
  const timestamp = page.getByRole('link', { name: '0:20' })
  expect(await timestamp.getAttribute('href')).toBe(`/video/${id}?t=20`)
  await timestamp.click()
  await untilPlaying(page, 20)
})
