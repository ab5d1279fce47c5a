import { exampleOf } from '@kinora/contract/examples.ts'
import {
  getSiteSettings,
  type SiteSettings,
  type SiteSettingsChanges,
} from '@kinora/contract/operations/site.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { SectionName } from './sections.tsx'
import { SettingsForm } from './settings-form.tsx'

const { settings } = getSiteSettings.result.parse(exampleOf(getSiteSettings).data)

const show = async (section: SectionName, changed: Partial<SiteSettings>, fixed: string[] = []) => {
  const onSave = vi.fn<(changes: SiteSettingsChanges) => Promise<void>>(async () => undefined)
  const element = (
    <SettingsForm section={section} settings={{ ...settings, ...changed }} fixed={fixed} onSave={onSave} />
  )
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createMemoryRouter([{ path: '*', element }])} />
    </QueryClientProvider>,
  )
  return onSave
}

test('saves the quotas that were changed: gigabytes as bytes, an empty field as unlimited', async () => {
  const onSave = await show('quotas', {
    quotaBytes: 50_000_000_000,
    quotaVideos: 100,
    quotaVideoMinutes: null,
  })
  await expect.element(page.getByLabelText('Gigabytes')).toHaveValue(50)
  await page.getByLabelText('Gigabytes').fill('2.5')
  await page.getByLabelText('Videos', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ quotaBytes: 2_500_000_000, quotaVideos: null })
})

test('leaves it to the server to refuse 0 and parts of a video, and saves no text that is no number', async () => {
  const onSave = await show('quotas', { quotaBytes: 50_000_000_000, quotaVideos: 100, quotaHours: 10 })
  await page.getByLabelText('Videos', { exact: true }).fill('0')
  await page.getByLabelText('Hours of video').fill('2.5')
  const save = page.getByRole('button', { name: 'Save' })
  await save.click()
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ quotaVideos: 0, quotaHours: 2.5 })
  const gigabytes = page.getByLabelText('Gigabytes')
  await gigabytes.clear()
  await userEvent.type(gigabytes, '-')
  await save.click()
  expect(onSave).toHaveBeenCalledOnce()
  await expect.element(gigabytes).toHaveFocus()
})

test('saves the formats that were chosen', async () => {
  const onSave = await show('media', { acceptedContainers: ['mp4', 'webm', 'ogg'] })
  await page.getByRole('checkbox', { name: 'QuickTime (MOV)' }).click()
  await page.getByRole('checkbox', { name: 'Ogg' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ acceptedContainers: ['mp4', 'webm', 'mov'] })
})

test('formats of the environment cannot be changed', async () => {
  await show('media', { acceptedContainers: ['mp4'] }, ['acceptedContainers'])
  await expect.element(page.getByRole('checkbox', { name: 'QuickTime (MOV)' })).toBeDisabled()
  await expect
    .element(page.getByRole('group', { name: 'Accepted video files' }))
    .toMatchTextContent('Set by ACCEPTED_CONTAINERS in the environment of the server.')
})

test('does not save emptied days as 0', async () => {
  const onSave = await show('data', { deletionDays: 7 })
  const days = page.getByLabelText('Days to undo an account deletion')
  await days.clear()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(days).toHaveFocus()
  expect(onSave).not.toHaveBeenCalled()
})

test('a quota of the environment cannot be changed, and names its variable', async () => {
  await show('quotas', { quotaVideos: 100 }, ['quotaVideos'])
  const field = page.getByLabelText('Videos', { exact: true })
  await expect.element(field).toBeDisabled()
  await expect
    .element(field)
    .toHaveAccessibleDescription('Set by QUOTA_VIDEOS in the environment of the server.')
})
