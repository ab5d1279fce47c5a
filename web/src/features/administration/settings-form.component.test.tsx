import { exampleOf } from '@kinora/contract/examples.ts'
import { getSiteSettings, type QuotaSettings, type SiteSettingsChanges } from '@kinora/contract/site.ts'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { SettingsForm } from './settings-form.tsx'

const { settings } = getSiteSettings.result.parse(exampleOf(getSiteSettings).data)

const show = async (quotas: Partial<QuotaSettings>, fixed: string[] = []) => {
  const onSave = vi.fn<(changes: SiteSettingsChanges) => Promise<void>>(async () => undefined)
  const shown = { ...settings, ...quotas }
  await render(<SettingsForm settings={shown} fixed={fixed} error={null} isPending={false} onSave={onSave} />)
  return onSave
}

test('saves the quotas that were changed: gigabytes as bytes, an empty field as unlimited', async () => {
  const onSave = await show({ quotaBytes: 50_000_000_000, quotaVideos: 100, quotaVideoMinutes: null })
  const quota = page.getByRole('group', { name: 'Quota of each account' })
  await expect.element(quota.getByLabelText('Gigabytes')).toHaveValue(50)
  await quota.getByLabelText('Gigabytes').fill('2.5')
  await quota.getByLabelText('Videos').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ quotaBytes: 2_500_000_000, quotaVideos: null })
})

test('a quota of the environment cannot be changed, and names its variable', async () => {
  await show({ quotaVideos: 100 }, ['quotaVideos'])
  const field = page.getByLabelText('Videos', { exact: true })
  await expect.element(field).toBeDisabled()
  await expect
    .element(field)
    .toHaveAccessibleDescription('Set by QUOTA_VIDEOS in the environment of the server.')
})
