import type { Page } from 'playwright-core'
import { clip } from './fixtures/clips.ts'
import { expect, test } from './fixtures/test.ts'
import { signIn } from './fixtures/users.ts'

/** Opens a page that a service worker controls. The site registers it seconds after a page has loaded. */
async function openControlled(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/service-worker.js')
    const { active } = await navigator.serviceWorker.ready
    if (active?.state === 'activated') return
    await new Promise((resolve) => active?.addEventListener('statechange', resolve))
  })
  await page.goto(path)
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
}

test('pages register the service worker after they have loaded @nightly', async ({ page }) => {
  await page.goto('/')
  expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL)).toMatch(
    /\/service-worker\.js$/,
  )
})

test('without a network a page opens in the look of the site, and loads once there is one', async ({
  page,
  context,
}) => {
  await page.addInitScript(() => {
    localStorage.setItem('theme', 'dark')
    localStorage.setItem('language', 'de')
  })
  await openControlled(page, '/')
  await context.setOffline(true)
  await page.goto('/')
  await expect(page.getByRole('alert')).toContainText('Du bist offline')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.goto('/studio')
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await page.goto('/')
  await expect(page.getByRole('alert')).toContainText('Du bist offline')
  await context.setOffline(false)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('data and media pass by the service worker, and only the shell is stored @nightly', async ({ page }) => {
  const { username } = await signIn(page)
  await openControlled(page, '/')
  const responses: { path: string; isFromWorker: boolean }[] = []
  page.on('response', (response) =>
    responses.push({ path: new URL(response.url()).pathname, isFromWorker: response.fromServiceWorker() }),
  )
  await page.route('**/api/v1/users/currentuser', (route) => route.fulfill({ status: 401, json: {} }))
  await page.goto(`/c/${username}/videos`)
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect.poll(() => responses.some(({ path }) => path.startsWith('/api/'))).toBe(true)
  const passing = responses.filter(({ path }) => !path.startsWith('/c/'))
  expect(passing.filter(({ isFromWorker }) => isFromWorker)).toEqual([])
  const stored = await page.evaluate(async () => {
    const caches = await Promise.all(
      (await globalThis.caches.keys()).map((name) => globalThis.caches.open(name)),
    )
    const requests = await Promise.all(caches.map((cache) => cache.keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(stored.filter((path) => !/^\/(assets\/|start\.js$|favicon\.svg$|offline$)/.test(path))).toEqual([])
  expect(stored).toContain('/offline')
})

test('the manifest is valid, and the site can be installed @nightly', async ({ page, context }) => {
  await page.goto('/')
  const browser = await context.newCDPSession(page)
  expect((await browser.send('Page.getAppManifest')).errors).toEqual([])
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
  // Contexts of tests are private windows.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})

test('a video that another program shares waits in the tray, also if the browser stops the service worker @nightly', async ({
  page,
  context,
}) => {
  await signIn(page)
  await openControlled(page, '/')
  const { share_target: target } = await (await page.request.get('/manifest.webmanifest')).json()
  const { buffer, name } = await clip()
  await page.evaluate(
    ([bytes, file, { action, method, enctype, params }]) => {
      const form = Object.assign(document.createElement('form'), { action, method, enctype })
      const input = Object.assign(document.createElement('input'), {
        type: 'file',
        name: params.files[0].name,
      })
      const files = new DataTransfer()
      files.items.add(
        new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], file, { type: 'video/mp4' }),
      )
      input.files = files.files
      form.append(input, Object.assign(document.createElement('button'), { textContent: 'Share' }))
      document.body.append(form)
    },
    [buffer.toString('base64'), name, target] as const,
  )
  const browser = await context.newCDPSession(page)
  await browser.send('ServiceWorker.enable')
  // the page does not ask for the file before the worker is stopped
  await browser.send('Emulation.setScriptExecutionDisabled', { value: true })
  await page.getByRole('button', { name: 'Share', exact: true }).press('Enter')
  await page.waitForURL('**/studio?shared')
  await browser.send('ServiceWorker.stopAllWorkers')
  await browser.send('Emulation.setScriptExecutionDisabled', { value: false })
  await page.reload()
  const tray = page.getByRole('region', { name: 'Transfers' })
  await expect(tray).toContainText('clip')
  await expect(tray).toContainText('Paused at 0')
})
