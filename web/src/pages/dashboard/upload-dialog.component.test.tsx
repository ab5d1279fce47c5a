import { user } from '@kinora/contract/examples/samples.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openPage } from '../../testing/site.tsx'

const dialog = page.getByRole('dialog', { name: 'Upload video' })
const title = dialog.getByLabelText('Title')
const video = dialog.getByLabelText('Video', { exact: true })
const clip = (name: string) => new File(['video'], name, { type: 'video/mp4' })
/** Without the file dialog of the browser, which nothing closes here. */
const press = () =>
  video.element().dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))

test('a file that somebody chooses gives the video its title, which is never overwritten', async () => {
  await openPage(`/c/${user.username}/dashboard/upload`)
  await expect.element(dialog.getByLabelText('Who can watch it')).toHaveValue('public')
  await expect.element(dialog.getByText(/^Several files at once/)).toBeVisible()
  press()
  await userEvent.upload(video, clip('harbour_at_dawn.mp4'))
  await expect.element(title).toHaveValue('harbour at dawn')
  // another file, another suggestion
  await userEvent.upload(video, clip('noon.mp4'))
  await expect.element(title).toHaveValue('noon')
  await title.fill('My harbour')
  await userEvent.upload(video, clip('dusk.mp4'))
  await expect.element(dialog.getByText('dusk.mp4')).toBeVisible()
  await expect.element(title).toHaveValue('My harbour')
  await title.fill('')
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect.element(dialog.getByText('Title is required')).toBeVisible()
})

test('a form that a program fills has no suggestions: every field is required', async () => {
  await openPage(`/c/${user.username}/dashboard/upload`)
  await userEvent.upload(video, clip('harbour.mp4'))
  await expect.element(dialog.getByText('harbour.mp4')).toBeVisible()
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect.element(dialog.getByText('Title is required')).toBeVisible()
  await expect.element(dialog.getByText('Thumbnail is required')).toBeVisible()
})
