import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { expect, test } from '../fixtures/test.ts'
import { createAccount } from '../fixtures/users.ts'

test('a passkey is added and signs in without a password', async ({ page, siteUrl }) => {
  test.skip(!siteUrl.startsWith('http://127.0.0.1'), 'the host name has to be localhost')
  // an IP address can have no passkeys
  const url = siteUrl.replace('127.0.0.1', 'localhost')
  const user = await createAccount(page)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${url}/login`)
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toHaveCount(0)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('link', { name: 'Your channel' })).toBeVisible()

  await page.goto(`${url}/account/security`)
  const passkeys = page.getByRole('region', { name: 'Passkeys' })
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Password').fill(user.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(passkeys.getByRole('listitem')).toHaveCount(1)
  expect(await findAccessibilityIssues(page)).toEqual([])

  await page.goto(`${url}/logout`)
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await page.goto(`${url}/login`)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('link', { name: 'Your channel' })).toBeVisible()
})
