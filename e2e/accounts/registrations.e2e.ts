import type { Page } from 'playwright-core'
import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { expect, test } from '../fixtures/test.ts'
import { newUser, profilePicture, registering, signIn, type TestUser } from '../fixtures/users.ts'

async function register(page: Page, { fullname, email, username, password }: TestUser): Promise<void> {
  await page.getByLabel('Full name').fill(fullname)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Profile picture').setInputFiles(profilePicture)
  await page.getByRole('button', { name: 'Register' }).click()
}

test('an administrator chooses who may register: invited people, approved ones, nobody @nightly', async ({
  page,
  newVisitor,
  site,
}) => {
  test.skip(Boolean(process.env.BASE_URL), 'changes who may register')
  const [invited, visitor] = await Promise.all([newVisitor(), newVisitor()])
  const me = await signIn(page)
  await site.runCommand('user', 'role', me.username, '--to', 'administrator')
  const choose = async (policy: string) => {
    await page.goto('/administration/settings/people')
    await page.getByLabel('Who may register').selectOption({ label: policy })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  }

  await choose('People with an invitation')
  await page.goto('/administration/invitations')
  await page.getByRole('spinbutton', { name: 'People' }).fill('1')
  await page.getByLabel('Note').fill('Choir')
  await page.getByRole('button', { name: 'Create a link' }).click()
  const link = (await page.getByText(/\/register\?invitation=/).textContent()) ?? ''
  await visitor.goto('/register')
  await visitor.getByText('You need an invitation to this site').waitFor()
  const [guest, second] = [newUser('Wren Okafor'), newUser('Joss Bram')]
  await Promise.all([invited.goto(link), visitor.goto(link)])
  await register(invited, guest)
  await invited.getByRole('link', { name: 'Your channel' }).waitFor(registering)
  await register(visitor, second)
  await expect(visitor.getByRole('alert')).toContainText('an invitation that was not used up')
  await page.reload()
  await expect(page.getByRole('row').filter({ hasText: link })).toContainText(
    new RegExp(`1 of 1.*${guest.username}`, 's'),
  )

  await choose('Everybody, once a moderator approves')
  await visitor.goto('/register')
  await register(visitor, second)
  await expect(visitor.getByRole('status')).toContainText('once a moderator has approved it')
  expect(await findAccessibilityIssues(visitor)).toEqual([])
  await page.goto(`/administration/people?text=${second.username}`)
  const row = page.getByRole('row').filter({ hasText: second.username })
  await expect(row).toContainText('Waiting')
  await row.getByRole('button', { name: 'Approve' }).click()
  await expect(row).not.toContainText('Waiting')
  await visitor.goto('/login')
  await visitor.getByLabel('Email').fill(second.email)
  await visitor.getByLabel('Password', { exact: true }).fill(second.password)
  await visitor.getByRole('button', { name: 'Login' }).click()
  await visitor.getByRole('link', { name: 'Your channel' }).waitFor()

  await choose('Nobody')
  await visitor.context().clearCookies()
  await visitor.goto('/register')
  await visitor.getByText('This site accepts no new accounts').waitFor()
  await expect(visitor.getByRole('button', { name: 'Register' })).toHaveCount(0)

  // as the tests that follow on this site expect it
  await choose('Everybody')
  await visitor.reload()
  await expect(visitor.getByRole('button', { name: 'Register' })).toBeVisible()
})
