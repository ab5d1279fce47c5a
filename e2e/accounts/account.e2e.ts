import { appCode } from '../../server/src/testing/fixtures/test-codes.ts'
import { createMailbox } from '../../server/src/testing/fixtures/test-mailbox.ts'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'
import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { startSite } from '../fixtures/site.ts'
import { expect, test } from '../fixtures/test.ts'
import { createAccount, newUser, signIn } from '../fixtures/users.ts'

test('a lost password is replaced by a link from a mail', async ({ newVisitor }) => {
  test.skip(Boolean(process.env.BASE_URL), 'needs a site with a mail server')
  const mailbox = await createMailbox()
  const port = String(await findQuietPort())
  const url = `http://127.0.0.1:${port}`
  const site = await startSite({ ...mailbox.settings, PORT: port, PUBLIC_URL: url })
  try {
    const page = await newVisitor()
    const user = await createAccount(page, newUser(), url)
    await page.goto(`${url}/login`)
    await page.getByRole('link', { name: 'Recover your account' }).click()
    await page.getByRole('heading', { name: 'Forgot password' }).waitFor()
    await page.getByLabel('Email').fill(user.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(page.getByRole('status')).toContainText('If an account has this address')
    await expect.poll(() => mailbox.mails.length).toBe(1)
    const link = /http\S+#\S+/.exec(mailbox.mails[0]?.text ?? '')?.[0] ?? ''
    await page.goto(link)
    await page.getByLabel('New password').fill('a brand new one')
    await page.getByRole('button', { name: 'Save password' }).click()
    await expect(page.getByRole('status')).toContainText('Your password was changed')
    await page.getByRole('link', { name: 'Log in with the new one' }).click()
    await page.getByLabel('Email').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill('a brand new one')
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('link', { name: 'Your channel' })).toBeVisible()
  } finally {
    await site.stop()
    await mailbox.close()
  }
})

test('an authenticator app is set up and then asked for, and devices are signed out', async ({
  page,
  newVisitor,
}) => {
  const user = await signIn(page)
  await page.goto(`/c/${user.username}/edit`)
  await page.getByRole('link', { name: 'Security and devices' }).click()
  const app = page.getByRole('region', { name: 'Authenticator app' })
  await app.getByRole('button', { name: 'Turn on' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await dialog.getByLabel('Password').fill(user.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code' })).toHaveJSProperty('complete', true)
  expect(await findAccessibilityIssues(page)).toEqual([])
  const key = await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()
  await dialog.getByLabel('Code that the app shows').fill(appCode(key.replaceAll(' ', '')))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  const recoveryCode = await dialog.getByRole('listitem').first().innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(app).toContainText('On. 10 recovery codes left.')

  const other = await newVisitor()
  await other.goto('/login')
  await other.getByLabel('Email').fill(user.email)
  await other.getByLabel('Password', { exact: true }).fill(user.password)
  await other.getByRole('button', { name: 'Login' }).click()
  await other.getByLabel('Code').fill(recoveryCode)
  expect(await findAccessibilityIssues(other)).toEqual([])
  await other.getByRole('button', { name: 'Login' }).click()
  await expect(other.getByRole('link', { name: 'Your channel' })).toBeVisible()

  await page.reload()
  const devices = page.getByRole('region', { name: 'Devices' })
  await expect(devices.getByRole('listitem')).toHaveCount(2)
  expect(await findAccessibilityIssues(page)).toEqual([])
  await devices.getByRole('button', { name: 'End all other sessions' }).click()
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  await other.reload()
  await expect(other.getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('the tab of subscriptions tells others that only their owner sees them @nightly', async ({
  page,
  newVisitor,
}) => {
  const owner = await signIn(page)
  const other = await newVisitor()
  await signIn(other)
  await page.goto('/account/data')
  const choice = page.getByRole('region', { name: 'Your subscriptions' }).getByLabel('Who sees them')
  await expect(choice).toHaveValue('members')
  const saved = page.waitForResponse('**/sub/settings')
  await choice.selectOption('Only me')
  await saved
  await other.goto(`/c/${owner.username}/subscribedto`)
  await expect(other.getByRole('heading', { name: 'Not shown' })).toBeVisible()
  expect(await findAccessibilityIssues(other)).toEqual([])
  await page.goto(`/c/${owner.username}/subscribedto`)
  await expect(page.getByRole('heading', { name: 'Not subscribed to anyone yet' })).toBeVisible()
})
