import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

test('the page behind a dialog opened by its address keeps its full width on phones @nightly', async ({
  page,
  browser,
}) => {
  const me = await signIn(page)
  const id = await publish(page, 'On the phone')
  const phone = await browser.newContext({
    storageState: await page.context().storageState(),
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  })
  try {
    const held = await phone.newPage()
    for (const step of [`delete/${id}`, 'upload']) {
      await held.goto(`/c/${me.username}/dashboard/${step}`)
      await held.getByRole('dialog').waitFor()
      expect(await held.locator('#main').evaluate((main) => main.getBoundingClientRect().width)).toBe(390)
    }
    // Touch screens cannot drop files: the empty field is small and does not mention dropping.
    const thumbnail = held.getByRole('dialog').getByLabel('Thumbnail')
    expect((await thumbnail.boundingBox())?.height).toBeLessThan(100)
    expect(await held.getByText('or drop it here').first().isVisible()).toBe(false)
  } finally {
    await phone.close()
  }
})
