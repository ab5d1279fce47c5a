import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { test as base, inject } from 'vitest'

const screenshots = join(import.meta.dirname, '../screenshots')

/** What comes in the end has come by then, on whatever machine; nobody waits so long but for a fault. */
const PATIENCE_MS = 30_000

interface Journey {
  browser: Browser
  /** A visitor with cookies and storage of their own; `newVisitor` makes more of them. */
  page: Page
  newVisitor(): Promise<Page>
}

/**
 * A journey through the started site: `test('a visitor ...', async ({ page }) => { await page.goto('/') })`.
 * What every open page shows when a journey fails is kept in `screenshots/`; an error that a page throws fails it.
 */
export const test = base.extend<Journey>({
  browser: [
    // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which other fixtures are needed
    async ({}, use) => {
      const browser = await chromium.launch({
        executablePath: inject('chromiumPath'),
        args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
      })
      await use(browser)
      await browser.close()
    },
    { scope: 'file' },
  ],
  newVisitor: async ({ browser, task }, use) => {
    const contexts: BrowserContext[] = []
    const thrown: Error[] = []
    await use(async () => {
      const context = await browser.newContext({
        baseURL: inject('siteUrl'),
        viewport: { width: 1280, height: 800 },
      })
      contexts.push(context)
      context.setDefaultTimeout(PATIENCE_MS)
      const page = await context.newPage()
      page.on('pageerror', (error) => thrown.push(error))
      return page
    })
    if (task.result?.state === 'fail') await keepPictures(task.name, contexts)
    // What a journey has put in the way of a request may be at it when the page goes: nobody's failure.
    const pages = contexts.flatMap((context) => context.pages())
    await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
    await Promise.all(contexts.map((context) => context.close()))
    if (thrown[0]) throw thrown[0]
  },
  page: async ({ newVisitor }, use) => {
    await use(await newVisitor())
  },
})

async function keepPictures(journey: string, contexts: BrowserContext[]): Promise<void> {
  mkdirSync(screenshots, { recursive: true })
  const pages = contexts.flatMap((context) => context.pages())
  const name = journey.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  await Promise.all(
    pages.map((page, index) => page.screenshot({ path: join(screenshots, `failed-${name}-${index}.png`) })),
  )
}
