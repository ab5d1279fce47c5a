import type { Page } from 'playwright-core'
import { expect, test } from './fixtures/test.ts'
import { createAccount, newUser, profilePicture, signIn } from './fixtures/users.ts'

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
    alert: form.getByRole('alert'),
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

test('account details are validated before they are sent', async ({ page }) => {
  const { username } = await signIn(page)
  const form = await openForm(page, username, 'Details')
  const calls = countCalls(page)
  await form.save()
  await form.alert.getByText('Please enter email or fullname to edit!', { exact: true }).waitFor()
  await form.fill('Email', 'a b@c')
  await form.save()
  await form.alert.getByText('Invalid email address', { exact: true }).waitFor()
  expect(calls()).toBe(0)
})

test('a new name is saved once, confirmed, and shown everywhere after the reload', async ({ page }) => {
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

test('a taken email shows the message of the server, a lost connection our own', async ({ page }) => {
  const taken = await createAccount(page)
  const { username } = await signIn(page)
  const form = await openForm(page, username, 'Details')
  await form.fill('Email', taken.email)
  const response = page.waitForResponse('**/users/updatedetails')
  await form.save()
  const { message } = await (await response).json()
  await form.alert.getByText(message, { exact: true }).waitFor()
  await page.route('**/users/updatedetails', (route) => route.abort())
  await form.save()
  await form.alert.getByText('Something went wrong', { exact: true }).waitFor()
})

test('a new password is validated in the specified order, then changed', async ({ page, newVisitor }) => {
  const me = await signIn(page)
  const form = await openForm(page, me.username, 'Password')
  const calls = countCalls(page)
  const refuse = async (values: [string, string, string], message: string) => {
    await form.fill('Current password', values[0])
    await form.fill('New password', values[1])
    await form.fill('Repeat new password', values[2])
    await form.save()
    await form.alert.getByText(message, { exact: true }).waitFor()
  }
  await refuse(['', '', 'x'], 'Please enter passwords in order to save!')
  await refuse(['same same', 'same same', 'x'], 'Please select a new password!')
  await refuse([me.password, 'a new secret', 'another'], "Password's dont match!")
  await refuse([me.password, 'short', 'short'], 'Password must have at least 8 characters')
  expect(calls()).toBe(0)
  await refuse(['not my password', 'a new secret', 'a new secret'], 'The current password is wrong')
  expect(calls()).toBe(1)

  await form.fill('Current password', me.password)
  const untilReloaded = await recordConfirmation(page)
  await form.save()
  expect((await untilReloaded()).confirmation).toMatch(/^Password changed/)
  const visitor = await newVisitor()
  const login = (password: string) =>
    visitor.request.post('/api/v1/users/login', { form: { email: me.email, password } })
  expect((await login(me.password)).status()).toBe(401)
  expect((await login('a new secret')).status()).toBe(200)
  await page.getByRole('link', { name: 'Your channel' }).waitFor()
})

test('the test account keeps its password', async ({ page }) => {
  const known = { ...newUser('Test'), username: 'Test', email: 'test@kinora.example' }
  // A deployment may have the test account already.
  await createAccount(page, known).catch(() => known)
  await signIn(page, known)
  const form = await openForm(page, 'test', 'Password')
  const calls = countCalls(page)
  await form.save()
  await form.alert.getByText('You cannot change the password to test accounts!', { exact: true }).waitFor()
  expect(calls()).toBe(0)
})

test('avatar and cover accept images only', async ({ page }) => {
  const { username } = await signIn(page)
  const calls = countCalls(page)
  for (const part of ['Avatar', 'Cover']) {
    const form = await openForm(page, username, part)
    await form.save()
    await form.alert.getByText('Please upload a file first!', { exact: true }).waitFor()
    await form.choose(part, profilePicture)
    await form.alert.waitFor({ state: 'detached' })
    // Rejected on selection, and again on submit.
    await form.choose(part, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
    await form.alert.getByText('Please upload a file first!', { exact: true }).waitFor()
    await form.save()
    await form.alert.getByText('Please upload a file first!', { exact: true }).waitFor()
    await form.choose(part, { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await form.alert.getByText(/Choose a JPEG, PNG, WebP, GIF or AVIF picture\.$/).waitFor()
    await form.save()
    expect(calls()).toBe(part === 'Avatar' ? 0 : 1)
    await form.choose(part, profilePicture)
    const untilReloaded = await recordConfirmation(page)
    await form.save()
    expect((await untilReloaded()).confirmation).toMatch(`${part} saved`)
  }
  const { data } = await (await page.request.get('/api/v1/users/currentuser')).json()
  expect(data.coverImage).toMatch(/^\/media\//)
})

test('deleting an account requires its password', async ({ page }) => {
  const me = await signIn(page)
  await page.goto(`/c/${me.username}/edit`)
  const open = page.getByRole('button', { name: 'Delete account' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await dialog.getByLabel('Password').fill('not the one')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByRole('alert').getByText('The current password is wrong').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect(open).toBeFocused()

  await open.click()
  await dialog.getByLabel('Password').fill(me.password)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.getByRole('link', { name: 'Sign In' }).waitFor()
  const login = { username: me.username, password: me.password }
  expect((await page.request.post('/api/v1/users/login', { data: login })).status()).toBe(401)
})
