import { getCurrentUser } from '@kinora/contract/accounts/users.ts'
import { createFolderImport, getFolderImports } from '@kinora/contract/portability/folder-imports.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { callsOf, exampleData, openPage, reply } from '../../testing/site.tsx'

const state = exampleData(getFolderImports)

test('an administrator tries the import of a named folder, and reads what it would do', async () => {
  reply(getCurrentUser, { ...exampleData(getCurrentUser), role: 'administrator' })
  reply(getFolderImports, state)
  reply(createFolderImport, null)
  await openPage('/administration/folders')
  await userEvent.fill(page.getByLabelText('Username of the channel'), 'ines')
  await page.getByLabelText('Files', { exact: true }).selectOptions('link')
  await page.getByLabelText('Only report what would be done').click()
  await page.getByRole('button', { name: 'Start import' }).click()
  await expect
    .poll(() => callsOf(createFolderImport).map(({ body }) => body))
    .toEqual([
      { folder: '/srv/lectures', username: 'ines', placement: 'link', hasPlaylists: false, isDryRun: true },
    ])
  await expect.element(page.getByText('120 imported', { exact: false })).toBeVisible()
  await expect.element(page.getByText('This file is no video', { exact: false })).toBeVisible()
})

test('without a named folder the page says how one is named', async () => {
  reply(getCurrentUser, { ...exampleData(getCurrentUser), role: 'administrator' })
  reply(getFolderImports, { folders: [], isRunning: false, run: null })
  await openPage('/administration/folders')
  await expect.element(page.getByText('IMPORT_FOLDERS')).toBeVisible()
})
