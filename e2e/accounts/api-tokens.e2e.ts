import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

test('an API token is created, works, and is revoked', async ({ page, siteUrl }) => {
  const user = await signIn(page)
  await page.goto('/account/developers')
  const tokens = page.getByRole('region', { name: 'API tokens' })
  await tokens.getByRole('button', { name: 'Create a token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create an API token' })
  await dialog.getByLabel('Token name').fill('Backup script')
  await dialog.getByLabel('Your password').fill(user.password)
  expect(await findAccessibilityIssues(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create token' }).click()

  const shown = page.getByRole('dialog', { name: 'Your new API token' })
  const token = await shown.getByText(/^kin_/).innerText()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(tokens.getByRole('listitem')).toContainText('not used yet')
  const statusOf = async () => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${siteUrl}/api/v1/users/currentuser`, { headers })).status
  }
  expect(await statusOf()).toBe(200)

  await tokens.getByRole('button', { name: 'Revoke Backup script' }).click()
  await page
    .getByRole('dialog', { name: 'Revoke Backup script?' })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await expect(tokens.getByRole('listitem')).toHaveCount(0)
  await expect(page.getByText('The token is revoked.')).toBeVisible()
  expect(await statusOf()).toBe(401)
})
