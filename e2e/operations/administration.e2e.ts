import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { createAccount, newUser, signIn } from '../fixtures/users.ts'

const notFound = "This page isn't available, Try searching for something else"

test('an administrator finds, suspends (on a phone) and promotes people, and a member of the site sees none of it', async ({
  page,
  newVisitor,
  site,
}) => {
  const me = await signIn(page)
  await site.runCommand('user', 'role', me.username, '--to', 'administrator')
  const member = await newVisitor()
  const { username } = await signIn(member, await createAccount(member, newUser('Wolfeschlegel'.repeat(4))))

  await member.goto('/administration/people')
  await member.getByText(notFound).waitFor()
  await member.goto('/')
  await member.getByRole('link', { name: 'Library' }).waitFor()
  await expect(member.getByRole('link', { name: 'Administration' })).toHaveCount(0)

  for (const path of [
    '/administration',
    '/administration/overview',
    '/administration/audit-log',
    '/administration/reports',
  ])
    expect([path, (await page.goto(path))?.status()]).toEqual([path, 200])
  await page.goto('/')
  await page.getByRole('link', { name: 'Administration' }).click()
  const tabs = page.getByRole('navigation', { name: 'Administration' })
  await tabs.getByRole('link', { name: 'Operation' }).click()
  await page.getByRole('group', { name: 'Accounts' }).waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await tabs.getByRole('link', { name: 'People' }).click()
  await page.getByLabel('Find by name or email').fill(username)
  const row = page.getByRole('row').filter({ hasText: `@${username}` })
  const size = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await row.getByRole('link', { name: 'Wolfeschlegel' }).click()
  await page.getByRole('list', { name: `Sessions of ${username}` }).waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await page.getByRole('button', { name: 'Create password link' }).click()
  await page.getByRole('dialog').getByText('/reset-password#').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Suspend…' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Only advertising')
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('status').filter({ hasText: 'is suspended' }).waitFor()
  await page.getByText('Suspended', { exact: true }).waitFor()
  await page.getByText('Not signed in anywhere.').waitFor()
  expect((await member.request.get('/api/v1/users/currentuser')).status()).toBe(401)
  if (size) await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findAccessibilityIssues(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('status').filter({ hasText: 'Undone' }).waitFor()
  await page.getByRole('link', { name: 'All people' }).click()
  await page.getByLabel('Find by name or email').fill(username)
  await row.getByRole('button', { name: 'More actions' }).click()
  await row.getByRole('button', { name: 'Suspend…' }).waitFor()

  await row.getByRole('link', { name: 'Wolfeschlegel' }).click()
  await page.getByRole('combobox', { name: `Role of ${username}` }).selectOption('moderator')
  await page.getByRole('status').filter({ hasText: 'is now a moderator' }).waitFor()
  await signIn(member, { ...newUser(), username, email: `${username}@kinora.example` })
  await member.goto('/administration')
  await member.getByRole('heading', { name: 'To decide' }).waitFor()
  await member.goto('/administration/overview')
  await member.getByRole('group', { name: 'Accounts' }).waitFor()
  await expect(member.getByRole('link', { name: 'Audit log' })).toHaveCount(0)
  await member.goto('/administration/audit-log')
  await member.getByText(notFound).waitFor()

  await page.getByRole('link', { name: 'All people' }).click()
  await page.getByLabel('Find by name or email').fill(username)
  await row.getByRole('button', { name: 'More actions' }).click()
  await row.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('status').filter({ hasText: 'is deleted' }).waitFor()
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
})

test('a moderator takes a video down and deletes spam, and both can be undone @nightly', async ({
  page,
  newVisitor,
  site,
}) => {
  const me = await signIn(page)
  await site.runCommand('user', 'role', me.username, '--to', 'moderator')
  const owner = await newVisitor()
  const spammer = await signIn(owner)
  const title = `Contested ${spammer.username}`
  const id = await publish(owner, title)
  for (const content of ['Cheap watches', 'More watches'])
    await owner.request.post('/api/v1/comment/add', { data: { videoId: id, content } })
  const guest = await newVisitor()
  const status = async () => (await guest.request.get(`/api/v1/video/${id}`)).status()

  await page.goto(`/administration/videos?text=${spammer.username}`)
  await page.getByRole('button', { name: 'Take down…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Take down' }).click()
  await dialog.getByText('Reason is required').waitFor()
  await dialog.getByLabel('Reason').fill('The music is not yours')
  await dialog.getByRole('button', { name: 'Take down' }).click()
  await page.getByRole('status').filter({ hasText: 'is taken down' }).waitFor()
  await page.getByRole('cell', { name: 'Taken down The music is not yours' }).waitFor()
  expect(await status()).toBe(404)
  expect(await findAccessibilityIssues(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Take down…' }).waitFor()
  await expect.poll(status).toBe(200)

  await page.getByRole('navigation', { name: 'Content' }).getByRole('link', { name: 'Comments' }).click()
  await page.getByLabel('Find by text, author or video').fill(spammer.username)
  await expect(page.getByText('Only the newest 100,000 comments are searched.')).toBeVisible()
  const comments = page.getByRole('cell', { name: 'watches', exact: false })
  await page.getByText('More watches').waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('status').filter({ hasText: '2 comments deleted' }).waitFor()
  await expect(comments).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('More watches').waitFor()

  // all comments of a person, then the person
  await page
    .getByRole('link', { name: `@${spammer.username}` })
    .first()
    .click()
  await page.getByRole('button', { name: 'Remove all 2…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove all' }).click()
  await page.getByRole('status').filter({ hasText: 'All comments of' }).waitFor()
  await expect(comments).toHaveCount(0)
  await page.getByLabel('Show', { exact: true }).selectOption('Removed')
  await page.getByText('More watches').waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(comments).toHaveCount(0)
  await page.getByRole('link', { name: `@${spammer.username}` }).click()
  await page.getByRole('button', { name: 'Suspend…' }).click()
  await dialog.getByLabel('Reason').fill('Only advertising')
  await dialog.getByLabel('Also hide this person’s videos and comments').check()
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect.poll(status).toBe(404)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(status).toBe(200)

  await site.runCommand('user', 'role', me.username, '--to', 'administrator')
  await page.goto(`/administration/audit-log?text=${me.username}`)
  await page
    .getByRole('row')
    .filter({ hasText: 'took down the video' })
    .filter({ hasText: 'not yours' })
    .waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
})
