import type { Page } from 'playwright-core'
import { findViolations } from '../fixtures/accessibility.ts'
import { publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

const comments = (page: Page) => page.getByRole('region', { name: 'Comments' })

async function comment(page: Page, text: string) {
  await page.getByRole('textbox', { name: 'Add a comment' }).fill(text)
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await comments(page).getByRole('article').filter({ hasText: text }).waitFor()
}

test('a person is blocked from the menu of a comment, and unblocked in the account @nightly', async ({
  page,
  newVisitor,
}) => {
  await signIn(page)
  const videoId = await publish(page, 'Gulls')
  const guest = await newVisitor()
  const { username } = await signIn(guest)
  await guest.goto(`/video/${videoId}`)
  await comment(guest, 'By the guest')

  await page.goto(`/video/${videoId}`)
  const foreign = comments(page).getByRole('article').filter({ hasText: 'By the guest' })
  await foreign.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Mute or block' }).click()
  const dialog = page.getByRole('dialog', { name: `Mute or block @${username}` })
  await dialog.getByRole('button', { name: 'Mute', exact: true }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Block', exact: true }).click()
  await dialog.getByRole('status').getByText(`You have blocked @${username}.`).waitFor()
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(foreign).toHaveCount(0)
  // the focus does not get lost with the comment
  await expect(page.locator('#main')).toBeFocused()

  await guest.getByRole('textbox', { name: 'Add a comment' }).fill('Once more')
  await guest.getByRole('button', { name: 'Comment', exact: true }).click()
  await comments(guest).getByRole('alert').getByText('you are blocked').waitFor()

  await page.goto(`/c/${username}`)
  const channel = page.locator('header').filter({ hasText: `@${username}` })
  await channel.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Mute or block' }).click()
  await dialog.getByRole('button', { name: 'Unblock' }).waitFor()
  await page.keyboard.press('Escape')
  await page.goto('/account/data')
  const blocked = page.getByRole('region', { name: 'Muted and blocked people' })
  expect(await findViolations(page)).toEqual([])
  await blocked.getByRole('button', { name: `Unblock ${username}` }).click()
  await blocked.getByRole('status').getByText(`@${username} is no longer muted or blocked.`).waitFor()
  await blocked.getByText('You have not muted anyone.').waitFor()
  await comment(guest, 'Allowed again')
})
