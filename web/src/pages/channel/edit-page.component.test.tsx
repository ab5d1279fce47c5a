import { user } from '@kinora/contract/examples/samples.ts'
import { changePassword } from '@kinora/contract/accounts/passwords.ts'
import { deleteAccount } from '@kinora/contract/portability/account-deletion.ts'
import { getCurrentUser, updateAvatar, updateCover } from '@kinora/contract/accounts/users.ts'
import { updateDetails } from '@kinora/contract/accounts/emails.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, changes, disconnect, openPage, rejection, reply } from '../../testing/site.tsx'

const path = `/c/${user.username}/edit`

/** A form of the page, by its name. */
const formOf = (name: string) => {
  const form = page.getByRole('form', { name, exact: true })
  const alert = form.getByRole('alert')
  const save = () => form.getByRole('button', { name: 'Save' }).click()
  return {
    alert,
    save,
    fill: (label: string, value: string) => form.getByLabelText(label, { exact: true }).fill(value),
    choose: (label: string, file: File) =>
      userEvent.upload(form.getByLabelText(label, { exact: true }), file),
    async saveRejected(message: string | RegExp) {
      await save()
      await expect.element(alert.getByText(message)).toBeVisible()
    },
  }
}

test('account details are validated before they are sent', async () => {
  await openPage(path)
  const { fill, saveRejected } = formOf('Details')
  await saveRejected('Please enter email or fullname to edit!')
  await fill('Email', 'a b@c')
  await saveRejected('Invalid email address')
  expect(changes()).toEqual([])
})

test('a rejected save shows the message of the server, a lost connection our own', async () => {
  reply(updateDetails, () => rejection('conflict', 'This email is taken'))
  await openPage(path)
  const { fill, saveRejected } = formOf('Details')
  await fill('Email', 'ines@example.org')
  await saveRejected('This email is taken')
  reply(updateDetails, disconnect)
  await saveRejected('Something went wrong')
  expect(callsOf(updateDetails)).toHaveLength(2)
})

test('a new password is validated in the specified order', async () => {
  reply(changePassword, () => rejection('invalid', 'The current password is wrong'))
  await openPage(path)
  const { fill, saveRejected } = formOf('Password')
  const refuse = async ([current, next, again]: [string, string, string], message: string) => {
    await fill('Current password', current)
    await fill('New password', next)
    await fill('Repeat new password', again)
    await saveRejected(message)
  }
  await refuse(['', '', 'x'], 'Please enter passwords in order to save!')
  await refuse(['same same', 'same same', 'x'], 'Please select a new password!')
  await refuse(['linocut-heron', 'a new secret', 'another'], "Password's dont match!")
  await refuse(['linocut-heron', 'short', 'short'], 'Password must have at least 8 characters')
  expect(changes()).toEqual([])
  await refuse(['not my password', 'a new secret', 'a new secret'], 'The current password is wrong')
  expect(callsOf(changePassword)).toHaveLength(1)
})

test('the test account keeps its password', async () => {
  reply(getCurrentUser, { ...user, username: 'Test' })
  await openPage('/c/test/edit')
  await formOf('Password').saveRejected('You cannot change the password to test accounts!')
  expect(changes()).toEqual([])
})

test('avatar and cover accept images only', async () => {
  await openPage(path)
  for (const part of ['Avatar', 'Cover']) {
    const { alert, choose, saveRejected } = formOf(part)
    await saveRejected('Please upload a file first!')
    const canvas = new OffscreenCanvas(64, 64)
    canvas.getContext('2d')?.fillRect(0, 0, 64, 64)
    await choose(part, new File([await canvas.convertToBlob()], 'picture.png', { type: 'image/png' }))
    await expect.element(alert).not.toBeInTheDocument()
    // Rejected on selection, and again on submit.
    await choose(part, new File(['no picture'], 'notes.txt', { type: 'text/plain' }))
    await expect.element(alert.getByText('Please upload a file first!')).toBeVisible()
    await saveRejected('Please upload a file first!')
    const wrong = /Choose a JPEG, PNG, WebP, GIF or AVIF picture\.$/
    await choose(part, new File(['<svg/>'], 'drawing.svg', { type: 'image/svg+xml' }))
    await expect.element(alert.getByText(wrong)).toBeVisible()
    await saveRejected(wrong)
  }
  expect([...callsOf(updateAvatar), ...callsOf(updateCover)]).toEqual([])
})

test('deleting an account requires its password, and Cancel returns to the page', async () => {
  reply(deleteAccount, () => rejection('invalid', 'The current password is wrong'))
  await openPage(path)
  const open = page.getByRole('button', { name: 'Delete account' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await dialog.getByLabelText('Password').fill('not the one')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect.element(dialog.getByRole('alert').getByText('The current password is wrong')).toBeVisible()
  expect(callsOf(deleteAccount).map(({ body }) => body['password'])).toEqual(['not the one'])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(open).toHaveFocus()
})
