import type { Page } from 'playwright-core'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { getSiteSettings, type SiteSettings } from '@kinora/contract/operations/site.ts'
import { publish } from './fixtures/clips.ts'
import { findUntranslatedTexts, showPseudoLanguage } from './fixtures/pseudo-language.ts'
import { startSite } from './fixtures/site.ts'
import { expect, test } from './fixtures/test.ts'
import { createAccount, newUser, signIn, type TestUser } from './fixtures/users.ts'

test('a language chosen at the end of a page stays, and mirrors pages where it is written so', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('العربية')
  const html = page.locator('html')
  await expect(html).toHaveAttribute('dir', 'rtl')
  await expect(html).toHaveAttribute('lang', 'ar')
  await page.goto('/about')
  await expect(page.getByRole('link', { name: 'تسجيل الدخول' }).first()).toBeVisible()
  // The logo is at the start of the bar, which is on the right.
  const logo = await page.getByRole('banner').getByRole('link').first().boundingBox()
  expect(logo?.x).toBeGreaterThan((page.viewportSize()?.width ?? 0) / 2)
  await page.getByRole('combobox', { name: 'اللغة' }).selectOption('English')
  await expect(html).toHaveAttribute('dir', 'ltr')
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
})

test('a language chosen while signed in appears at the next sign-in elsewhere @nightly', async ({
  page,
  newVisitor,
}) => {
  const user = await createAccount(page, newUser())
  await signIn(page, user)
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Your channel' })).toBeVisible()
  const choice = page.getByRole('combobox', { name: 'Language' })
  await page.route('**/users/language', (route) => route.abort(), { times: 1 })
  await choice.selectOption('Deutsch')
  await expect(page.getByRole('alert').filter({ hasText: 'Not saved. Try again.' })).toBeVisible()
  await expect(choice).toHaveValue('en')
  await choice.selectOption('Deutsch')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  const other = await newVisitor()
  await other.goto('/login')
  await other.getByLabel('Email').fill(user.email)
  await other.getByLabel('Password', { exact: true }).fill(user.password)
  await other.getByRole('button', { name: 'Login' }).click()
  await expect(other.getByRole('link', { name: 'Dein Kanal' })).toBeVisible()
})

test('failures of the server are in the language of the page', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('language', 'de'))
  await page.goto('/login')
  await page.getByLabel('E-Mail').fill('nobody@example.com')
  await page.getByLabel('Passwort', { exact: true }).fill('long enough')
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'E-Mail oder Passwort falsch' })).toBeVisible()
})

test('a page whose catalog cannot be loaded is English @nightly', async ({ page }) => {
  await page.goto('/')
  const files = await page.locator('meta[name="kinora-messages"]').getAttribute('content')
  const [catalog = ''] = (JSON.parse(files ?? '{}') as Record<string, string[]>)['de'] ?? []
  expect(catalog).toMatch(/^\/assets\/.+\.js$/)
  await page.route(`**${catalog}`, (route) => route.abort())
  await page.evaluate(() => localStorage.setItem('language', 'de'))
  await page.reload()
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
})

test('a stored language that the site no longer has is English @nightly', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('language', 'xx'))
  await page.goto('/about')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('combobox', { name: 'Language' })).toHaveValue('en')
})

test('a site that follows the browser shows the first of its languages that there is @nightly', async ({
  browser,
  page,
  site,
}) => {
  test.skip(Boolean(process.env.BASE_URL), 'changes the language of the site')
  const { username } = await signIn(page)
  await site.runCommand('user', 'role', username, '--to', 'administrator')
  const settingsUrl = apiPrefix + getSiteSettings.path
  const { settings } = (await (await page.request.get(settingsUrl)).json()).data
  const change = async (changes: Partial<SiteSettings>) =>
    expect((await page.request.put(settingsUrl, { data: { ...settings, ...changes } })).ok()).toBe(true)
  await change({ siteLanguage: 'fr', detectLanguage: true })
  const languageIn = async (locale: string) => {
    const context = await browser.newContext({ locale })
    const visited = await context.newPage()
    await visited.goto('/about')
    const language = await visited.locator('html').getAttribute('lang')
    await context.close()
    return language
  }
  const wanted = {
    'de-AT': 'de',
    'pt-PT': 'pt-BR',
    'zh-Hans-SG': 'zh-CN',
    'zh-TW': 'fr',
    'nl-NL': 'fr',
    ar: 'ar',
  }
  for (const [locale, language] of Object.entries(wanted))
    expect(await languageIn(locale), locale).toBe(language)
  // as the tests that follow on this site expect it
  await change({})
})

/** Names of the site, formats and devices, the beginning of addresses, and what the browser formats: lists, ages, sizes and dates. */
const names =
  /Kinora|https:\/\/|MP4|WebM|WebP|Ogg|JPEG|PNG|GIF|AVIF|oder|Chrome on Linux|vor \d+ \w+|\d+ Byte|\d+\. \w+|\w+\.? \d{4}/

const letters = Array.from('abcdefghijklmnopqrstuvwxyz')
const german = new Intl.DisplayNames('de', { type: 'language' })
/** Names of languages of two letters, as the browser has them. */
const languages = letters
  .flatMap((first) => letters.map((second) => german.of(first + second)))
  .filter((name) => name && name.length > 2)
  .join('|')

/** Texts that are not marked for translation, and the width of what does not fit on a phone. */
async function findingsOn(page: Page, { email, username }: TestUser, place: string): Promise<string[]> {
  const texts = await findUntranslatedTexts(
    page,
    new RegExp(`${email}|${username}|${names.source}|^(?:${languages})$`),
  )
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return [...texts, ...(overhang > 0 ? [`${overhang} px too wide`] : [])].map((text) => `${place}: ${text}`)
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('main h1, main h2, dialog h2').first().waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
}

test('every text of the account is marked for translation, and fits on phones', async ({ page }) => {
  const user = await signIn(page, await createAccount(page, newUser('川辺')))
  await showPseudoLanguage(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const sections = ['', '/channel', '/security', '/notifications', '/language', '/data', '/developers']
  for (const path of sections.map((section) => `/account${section}`)) {
    await open(page, path)
    expect(await findingsOn(page, user, path)).toEqual([])
  }
})

test('every text of the interface is marked for translation, and fits on phones @nightly', async ({
  browser,
}) => {
  test.skip(Boolean(process.env.BASE_URL), 'needs a site without the texts of others')
  const site = await startSite()
  try {
    const page = await browser.newPage({ baseURL: site.url })
    const user = await signIn(page, await createAccount(page, newUser('川辺')))
    await site.runCommand('user', 'role', user.username, '--to', 'administrator')
    const id = await publish(page, '版画', { description: '九十' })
    await page.request.post(`/api/v1/comment/add`, { data: { videoId: id, content: '好き' } })
    await page.request.patch('/api/v1/studio/videos', { data: { videos: [{ _id: id, category: 'nature' }] } })
    await showPseudoLanguage(page)
    await page.setViewportSize({ width: 390, height: 844 })
    const own = `/c/${user.username}`
    const found: string[] = []
    const paths = `/ /about /privacy /search/7?category=nature /category/nature /video/${id} /feed /library /history /account /notifications /dismissed
    /studio /studio/comments /studio/clips /clips /studio/${id} /studio/analytics /studio/import /notfound
    ${own} ${own}/videos ${own}/dashboard ${own}/edit ${own}/dashboard/upload
    /administration/to-decide /administration/overview /administration/people /administration/videos /administration/comments
    /administration/reports /administration/settings /administration/settings/people /administration/settings/mail /administration/audit-log`
    const inspect = async (place: string) => found.push(...(await findingsOn(page, user, place)))
    for (const path of paths.split(/\s+/)) {
      await open(page, path)
      await inspect(path)
    }

    await page.goto(`/studio/${id}`)
    await page.locator('section[aria-labelledby="chapters"] button').click()
    await page.locator('dialog [type="submit"]').click()
    await page.locator('dialog [role="alert"]').nth(1).waitFor()
    await inspect('wrong chapters')

    await page.goto('/account/data')
    const list = 'Channel Id,Channel Url,Channel Title\nUCsea,http://www.youtube.com/channel/UCsea,海\n'
    const form = page.locator('form:has([type="file"])')
    await form
      .locator('[type="file"]')
      .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list) })
    await form.locator('[type="submit"]').click()
    await page.locator('details summary', { hasText: '1' }).click()
    await inspect('the report of an import')

    await page.goto('/studio')
    await page.locator('tbody [type="checkbox"]').check()
    await page.request.delete(`/api/v1/video/${id}`)
    await page.locator('[role="group"] button').first().click()
    await page.locator('[role="alert"]').waitFor()
    await inspect('the failure of a change')
    expect(found).toEqual([])
  } finally {
    await site.stop()
  }
})
