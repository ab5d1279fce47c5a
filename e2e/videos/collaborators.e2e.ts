import type { Page } from 'playwright-core'
import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { clip, publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { createAccount, newUser, signIn } from '../fixtures/users.ts'

/** Chooses a video file with a button of the page. */
async function upload(page: Page, button: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).click()
  await (await choosing).setFiles({ ...(await clip()), name: 'From the pier.mp4' })
}

test('two people work on a channel, and one is removed', async ({ page, newVisitor }) => {
  const ada = await createAccount(page, newUser('Ada Lind'))
  const ben = await createAccount(page, newUser('Ben Okoro'))
  await signIn(page, ada)
  const id = await publish(page, 'Low tide')
  const editor = await newVisitor()
  await signIn(editor, ben)

  await page.goto('/studio/people')
  await page.getByRole('heading', { name: 'Nobody else works here' }).waitFor()
  await page.getByLabel('Username', { exact: true }).fill(ben.username)
  await page.getByRole('button', { name: 'Invite' }).click()
  const people = page.getByRole('list', { name: 'People of this channel' })
  await expect(people.getByRole('listitem').filter({ hasText: 'Ben Okoro' })).toContainText('Invited')
  expect(await findAccessibilityIssues(page)).toEqual([])

  // the editor finds the invitation by the bell, and accepts it
  await editor.goto('/notifications')
  await editor.getByRole('link', { name: /Ada Lind invites you/ }).click()
  await editor.getByRole('button', { name: 'Accept the invitation of Ada Lind' }).click()
  await editor.getByRole('link', { name: 'Open the studio of Ada Lind' }).click()
  await editor.getByRole('link', { name: 'Low tide', exact: true }).click()
  await editor.getByLabel('Title', { exact: true }).fill('Low tide at noon')
  await editor.getByRole('button', { name: 'Save', exact: true }).first().click()
  await editor
    .getByRole('status')
    .filter({ hasText: /^Saved$/ })
    .waitFor()
  await expect(editor.getByRole('button', { name: 'Delete this video…' })).toHaveCount(0)
  await editor.getByRole('link', { name: 'All videos' }).click()
  await expect(editor.getByLabel('Channel', { exact: true })).toHaveValue(ada.username)

  // an upload goes into the channel
  await upload(editor, 'Upload to this channel')
  await editor.getByRole('region', { name: 'Transfers' }).getByText('All sent').waitFor()
  await editor.getByRole('main').getByRole('link', { name: 'From the pier', exact: true }).waitFor()
  expect(await findAccessibilityIssues(editor)).toEqual([])
  await page.goto('/studio')
  await page.getByRole('main').getByRole('link', { name: 'From the pier', exact: true }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Low tide at noon', exact: true }).waitFor()

  await page.goto('/studio/people')
  await page.getByRole('button', { name: 'Remove Ben Okoro' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('heading', { name: 'Nobody else works here' }).waitFor()
  await editor.goto(`/studio?channel=${ada.username}`)
  await editor.getByRole('heading', { name: 'You do not work on this channel' }).waitFor()
  expect((await editor.request.get(`/api/v1/studio/videos/${id}`)).status()).toBe(404)
})

test('all videos of a channel are offered, named, and taken over by another account', async ({
  page,
  newVisitor,
}) => {
  const ada = await createAccount(page, newUser('Ada Lind'))
  const ben = await createAccount(page, newUser('Ben Okoro'))
  await signIn(page, ada)
  for (const title of ['Low tide', 'High tide']) await publish(page, title)
  await page.goto('/studio/people')
  await page.getByLabel('Username of the new owner').fill(ben.username)
  await page.getByRole('button', { name: 'Offer all videos' }).click()
  const offers = (whose: Page) => whose.getByRole('list', { name: 'Offers' })
  await expect(offers(page)).toContainText(/2 videos.*High tide and Low tide/s)

  const receiver = await newVisitor()
  await signIn(receiver, ben)
  await receiver.goto('/studio/people')
  await expect(offers(receiver)).toContainText(/From @.*2 videos.*High tide and Low tide/s)
  await receiver.getByRole('button', { name: 'Take over: All videos of Ada Lind' }).click()
  expect(await findAccessibilityIssues(receiver)).toEqual([])
  await receiver.getByRole('dialog').getByRole('button', { name: 'Take over' }).click()
  await receiver.getByText('On your channel now: all videos of Ada Lind.').waitFor()
  await receiver.goto('/studio')
  for (const title of ['Low tide', 'High tide'])
    await receiver.getByRole('main').getByRole('link', { name: title, exact: true }).waitFor()
  await page.goto('/studio')
  await page.getByText('Videos you upload appear here.').waitFor()
})
