import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { breachesOf } from './fixtures/accessibility.ts'
import { publish } from './fixtures/clips.ts'
import { expect, test } from './fixtures/test.ts'
import { createAccount, newUser, signIn } from './fixtures/users.ts'

test('an empty search does not navigate', async ({ page }) => {
  await page.goto('/about')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox', { name: 'Search' }).fill('   ')
  await page.getByRole('searchbox', { name: 'Search' }).press('Enter')
  expect(new URL(page.url()).pathname).toBe('/about')
})

test('special characters in a query reach the search page unchanged', async ({ page }) => {
  await page.goto('/')
  const box = page.getByRole('searchbox', { name: 'Search' })
  // The number of results depends on videos of other tests.
  const headingEnd = async () =>
    (await page.getByRole('heading', { level: 1 }).textContent())?.replace(/^(Results|No results)/, '')
  for (const text of ['100%', '%2F', 'a/b?c#d&e+f', `"it's"`, '日本 語', '🎞️ reel', '..']) {
    const requested = page.waitForRequest('**/api/v1/video/search/**')
    await box.fill(text)
    await box.press('Enter')
    const term = new URL((await requested).url()).pathname.replace('/api/v1/video/search/', '')
    expect(decodeURIComponent(term)).toBe(text === '..' ? '.. ' : text)
    await expect.poll(headingEnd).toBe(` found for '${text}'`)
    await page.reload()
    await expect.poll(headingEnd).toBe(` found for '${text}'`)
    expect(await box.inputValue()).toBe(text)
  }
})

test('a search collapses white space, and an address without a query leads home', async ({ page }) => {
  await page.goto('/about')
  const box = page.getByRole('searchbox', { name: 'Search' })
  const requested = page.waitForRequest('**/api/v1/video/search/**')
  await box.fill('  Night \u00a0  trains ')
  await box.press('Enter')
  expect(new URL((await requested).url()).pathname).toBe('/api/v1/video/search/Night%20trains')
  expect(new URL(page.url()).pathname).toBe('/search/Night%20trains')
  await page.getByRole('heading', { name: /found for/ }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/found for 'Night trains'$/)
  expect(await page.title()).toBe('Night trains · Search · Kinora')
  for (const path of ['/search', '/search/', '/search/%20']) {
    await page.goto(path)
    await page.waitForURL((url) => url.pathname === '/')
  }
  await page.goto('/search/%E0%A4%A')
  await page
    .getByRole('heading', { name: "This page isn't available, Try searching for something else" })
    .waitFor()
})

test('a late response does not replace a newer search', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/video/search/slow', async (route) => {
    await held
    await route.continue().catch(() => {})
  })
  await page.goto('/search/slow')
  const box = page.getByRole('searchbox', { name: 'Search' })
  await box.fill('quick')
  await box.press('Enter')
  const heading = page.getByRole('heading', { name: /found for/ })
  await heading.waitFor()
  release()
  // A later call has finished, so the older response has arrived.
  await page.request.get('/api/v1/video/search/slow')
  expect(await heading.textContent()).toBe("No results found for 'quick'")
})

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

test('the extended Latin font file is loaded only for text that needs it', async ({ page }) => {
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
})

test('results have a number, channels, and filters that the address keeps', async ({ page }) => {
  const word = `heron${randomBytes(4).toString('hex')}`
  const owner = await signIn(page, await createAccount(page, newUser(`Falk ${word}`)))
  await publish(page, `${word} at dusk`)
  await publish(page, `A ${word}`)
  await page.goto(`/search/${word}`)
  const cards = page.getByRole('article')
  await expect(page.getByText('2 results', { exact: true })).toBeVisible()
  const channel = page.getByRole('list', { name: 'Matching channels' }).getByRole('link')
  await expect(channel).toHaveText(new RegExp(`Falk ${word}@${owner.username}`))

  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Length').selectOption('Over 20 minutes')
  await page.waitForURL(`**/search/${word}?length=long`)
  await page.getByRole('heading', { name: `No results found for '${word}'` }).waitFor()
  await expect(channel).toHaveCount(0)
  await page.getByLabel('Length').selectOption('Under 4 minutes')
  await expect(cards).toHaveCount(2)
  await page.getByLabel('Sort by').selectOption('Newest')
  await page.waitForURL(`**/search/${word}?length=short&sort=date`)
  await expect(cards.first()).toContainText(`A ${word}`)

  await page.reload()
  await expect(page.getByRole('button', { name: 'Filters (2)' })).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByLabel('Length')).toHaveValue('short')
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.waitForURL(`**/search/${word}`)
  await channel.click()
  await page.waitForURL(`**/c/${owner.username}/videos`)
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
  await expect(async () => {
    await other.reload()
    await expect(momentOf(other)).toContainText('00:01', { timeout: 2000 })
  }).toPass()
  await other.getByRole('heading', { name: `No results found for '${word}'` }).waitFor()
  // the advice does not contradict what was found, and it can be filtered
  await other.getByText('They were found here').waitFor()
  await expect(other.getByText('Try fewer or different words')).toHaveCount(0)
  await other.getByText('1 result', { exact: true }).waitFor()
  await other.getByRole('button', { name: 'Filters' }).waitFor()
  expect(await breachesOf(other)).toEqual([])
  await momentOf(other).click()
  await other.waitForURL(`**/video/${id}?t=1`)
})
