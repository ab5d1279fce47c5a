import type { Page } from 'playwright-core'
import { expect, test } from '../fixtures/test.ts'
import { profilePicture, signIn } from '../fixtures/users.ts'

const RELOAD_MS = 1000

async function openForm(page: Page, username: string, name: string) {
  await page.goto(`/c/${username}/edit`)
  const form = page.getByRole('form', { name, exact: true })
  await form.waitFor()
  return {
    fill: (label: string, value: string) => form.getByLabel(label, { exact: true }).fill(value),
    choose: (label: string, file: Parameters<Page['setInputFiles']>[1]) =>
      form.getByLabel(label, { exact: true }).setInputFiles(file),
    save: () => form.getByRole('button', { name: 'Save' }).click(),
  }
}

/**
 * Records the confirmation of a save and how long it shows, across the reload that follows. The page observes itself
 * because the confirmation may be gone before Playwright polls. `meanwhile` runs as soon as the confirmation shows.
 */
async function recordConfirmation(page: Page, meanwhile: 'press every Save' | 'nothing' = 'nothing') {
  const reloaded = page.waitForEvent('load')
  await page.evaluate((pressesSave) => {
    let since = 0
    const observer = new MutationObserver(() => {
      const confirmation = document.querySelector('form [role=status]')
      if (!confirmation) return
      observer.disconnect()
      since = performance.now()
      sessionStorage.setItem('confirmation', confirmation.textContent)
      if (!pressesSave) return
      for (const form of document.querySelectorAll('main form'))
        form.querySelector<HTMLElement>('button[type=submit]')?.click()
    })
    observer.observe(document.body, { subtree: true, childList: true })
    addEventListener('pagehide', () => {
      sessionStorage.setItem('shownMs', String(performance.now() - since))
      sessionStorage.setItem('alerts', String(document.querySelectorAll('[role=alert]').length))
    })
  }, meanwhile === 'press every Save')
  return async () => {
    await reloaded
    const stored = (key: string) => page.evaluate((name) => sessionStorage.getItem(name), key)
    return {
      confirmation: await stored('confirmation'),
      shownMs: Number(await stored('shownMs')),
      alerts: await stored('alerts'),
    }
  }
}

function countCalls(page: Page): () => number {
  let calls = 0
  page.on('request', (request) => {
    if (['POST', 'PATCH'].includes(request.method()) && request.url().includes('/users/')) calls += 1
  })
  return () => calls
}

test('a new name is saved once, confirmed, and shown everywhere after the reload @nightly', async ({
  page,
}) => {
  const me = await signIn(page)
  const form = await openForm(page, me.username, 'Details')
  const calls = countCalls(page)
  await form.fill('Full name', 'Ada Brandão')
  // Further saves of any section are ignored while a confirmation shows.
  const untilReloaded = await recordConfirmation(page, 'press every Save')
  await form.save()
  const { confirmation, shownMs, alerts } = await untilReloaded()
  expect(confirmation).toMatch(/^Details saved/)
  expect(alerts).toBe('0')
  expect(shownMs).toBeGreaterThan(RELOAD_MS * 0.8)
  expect(shownMs).toBeLessThan(RELOAD_MS * 10)
  expect(calls()).toBe(1)
  await page.getByRole('heading', { name: 'Ada Brandão', level: 1 }).waitFor()
  const { data } = await (await page.request.get('/api/v1/users/currentuser')).json()
  expect(data).toMatchObject({ fullname: 'Ada Brandão', email: me.email })
})

test('pictures and a new password are saved, and the account is deleted with it', async ({ page }) => {
  const me = await signIn(page)
  for (const part of ['Avatar', 'Cover']) {
    const form = await openForm(page, me.username, part)
    await form.choose(part, profilePicture)
    const untilReloaded = await recordConfirmation(page)
    await form.save()
    expect((await untilReloaded()).confirmation).toMatch(`${part} saved`)
  }
  const { data } = await (await page.request.get('/api/v1/users/currentuser')).json()
  expect(data.coverImage).toMatch(/^\/media\//)

  const form = await openForm(page, me.username, 'Password')
  await form.fill('Current password', me.password)
  await form.fill('New password', 'a new secret')
  await form.fill('Repeat new password', 'a new secret')
  const untilReloaded = await recordConfirmation(page)
  await form.save()
  expect((await untilReloaded()).confirmation).toMatch(/^Password changed/)
  await page.getByRole('link', { name: 'Your channel' }).waitFor()

  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await dialog.getByLabel('Password').fill(me.password)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByRole('alert').getByText('The current password is wrong').waitFor()
  await dialog.getByLabel('Password').fill('a new secret')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.getByRole('link', { name: 'Sign In' }).waitFor()
  await page.getByText('Your account was deleted.').waitFor()
  const login = { username: me.username, password: 'a new secret' }
  expect((await page.request.post('/api/v1/users/login', { data: login })).status()).toBe(401)
})
