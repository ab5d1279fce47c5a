import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

test('text typed before the search field has mounted is kept', async ({ page }) => {
  await page.addInitScript(() => {
    new MutationObserver((_records, observer) => {
      const box = document.querySelector<HTMLInputElement>('#root > header [type=search]')
      if (!box) return
      observer.disconnect()
      // The first event after the skeleton is drawn.
      const { port1, port2 } = new MessageChannel()
      port2.addEventListener('message', () => {
        box.focus()
        document.execCommand('insertText', false, 'quick')
      })
      port2.start()
      port1.postMessage(null)
    }).observe(document, { subtree: true, childList: true })
  })
  await page.goto('/search/slow')
  await page.getByRole('heading', { name: /found for/ }).waitFor()
  expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toContain('quick')
})

test('searches of any text have an address, and the extended Latin font file loads only for text that needs it @nightly', async ({
  page,
}) => {
  const faces = () =>
    page.evaluate(async () => {
      const { fonts } = document
      await fonts.ready
      return [...fonts]
        .filter(({ family, status }) => family.includes('Grotesk') && status === 'loaded')
        .map(({ family }) => family.replaceAll('"', ''))
    })
  await page.goto('/about')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(faces).toEqual(['Schibsted Grotesk'])
  await page.goto('/search/Łódź')
  await page.getByRole('heading', { level: 1, name: 'Łódź' }).waitFor()
  await expect.poll(faces).toEqual(['Schibsted Grotesk', 'Schibsted Grotesk Extended'])

  const box = page.getByRole('searchbox', { name: 'Search' })
  for (const text of ['%2F', 'a/b?c#d&e+f', '..']) {
    await box.fill(text)
    await box.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(` found for '${text}'`)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(` found for '${text}'`)
  }
  await page.goto('/search/%E0%A4%A')
  await page
    .getByRole('heading', { name: "This page isn't available, Try searching for something else" })
    .waitFor()
})

test('captions of a private video are found as a moment by others once it is public', async ({
  page,
  newVisitor,
}) => {
  const word = `gannet${randomBytes(4).toString('hex').replaceAll(/\d/g, 'x')}`
  await signIn(page)
  const id = await publish(page, 'Untitled')
  const show = (visibility: string) =>
    page.request.patch(`/api/v1/studio/videos/${id}`, { data: { visibility } })
  await show('private')
  const content = `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nOne ${word} dives.\n`
  const added = await page.request.post(`/api/v1/studio/videos/${id}/captions`, {
    multipart: {
      language: 'en',
      captions: { name: 'en.vtt', mimeType: 'text/vtt', buffer: Buffer.from(content) },
    },
  })
  expect(added.status()).toBe(201)
  const momentOf = (reader: Page) => reader.getByRole('region', { name: 'Moments' }).getByRole('link')
  await page.goto(`/search/${word}`)
  await expect(momentOf(page)).toContainText(`One ${word} dives.`)

  const other = await newVisitor()
  await signIn(other)
  await other.goto(`/search/${word}`)
  await other.getByText('Try fewer or different words').waitFor()
  await expect(momentOf(other)).toHaveCount(0)
  await show('public')
  const foundByOther = async () =>
    (await (await other.request.get(`/api/v1/search/moments?text=${word}`)).json()).data
  await expect.poll(foundByOther).toHaveLength(1)
  await other.reload()
  await expect(momentOf(other)).toContainText('00:01')
  await other.getByRole('heading', { name: `Results found for '${word}'` }).waitFor()
  // the advice does not contradict what was found, and it can be filtered
  await other.getByText('They were found here').waitFor()
  await expect(other.getByText('Try fewer or different words')).toHaveCount(0)
  await other.getByText('1 result', { exact: true }).waitFor()
  await other.getByRole('button', { name: 'Filters' }).waitFor()
  expect(await findAccessibilityIssues(other)).toEqual([])
  await momentOf(other).click()
  await other.waitForURL(`**/video/${id}?t=1`)
})
