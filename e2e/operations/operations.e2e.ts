import { readFile } from 'node:fs/promises'
import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { clip, publish } from '../fixtures/clips.ts'
import { expect, test } from '../fixtures/test.ts'
import { signIn } from '../fixtures/users.ts'

test('an administrator retries a failed job, frees space, makes and verifies a backup, and exports who did it @nightly', async ({
  page,
  site,
}) => {
  const me = await signIn(page)
  await site.runCommand('user', 'role', me.username, '--to', 'administrator')
  // larger than the uploads of other tests, because the storage page lists the largest twenty
  const title = `Heavy ${me.username}`
  await publish(page, title, { video: await clip(64 * 1024 * 1024) })
  const status = (text: string) => page.getByRole('status').filter({ hasText: text })

  // a job that fails for good by itself takes minutes
  await site.runStatement(
    `insert into pgboss.job (name, data, source_name, source_output)
     values ('failed', '{"isEvicting": false}', 'storage.measure', '{"message": "the disk was full"}')`,
  )
  await page.goto('/administration/jobs')
  const failed = page.getByRole('row').filter({ hasText: 'the disk was full' })
  await failed.getByRole('button', { name: 'Retry storage.measure' }).waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await failed.getByRole('button', { name: 'Retry storage.measure' }).click()
  await status('Retrying 1 job').waitFor()
  await expect(page.getByRole('heading', { name: 'Failed jobs' })).toBeFocused()
  await page.getByText('No job failed in the last 14 days').waitFor()

  await page.goto('/administration/storage')
  await page.getByRole('row').filter({ hasText: title }).waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])
  await page.getByRole('button', { name: 'Free space now' }).click()
  await status('The sizes change when it is done').waitFor()
  await page.getByRole('group', { name: 'Cache' }).filter({ hasText: 'measured' }).waitFor()
  await page.getByRole('link', { name: title }).click()
  await page
    .getByRole('row')
    .filter({ hasText: title })
    .getByRole('button', { name: 'More actions' })
    .waitFor()

  await page.goto('/administration/backups')
  await page.getByRole('button', { name: 'Back up now' }).click()
  await status('Last backup').filter({ hasText: 'without problems' }).waitFor()
  await page.getByRole('button', { name: /^Verify / }).click()
  await status('Last verification').filter({ hasText: 'without problems' }).waitFor()
  expect(await findAccessibilityIssues(page)).toEqual([])

  await page.goto(`/administration/audit-log?text=${me.username}`)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  const csv = await readFile(await (await saving).path(), 'utf8')
  const rows = csv.trim().split(/\r?\n/)
  const fieldsOf = (row: string) => row.split(',').map((field) => field.replaceAll(/^\uFEFF?"|"$/g, ''))
  expect(fieldsOf(rows[0] ?? '')).toEqual(['time', 'actor', 'action', 'subject', 'details'])
  expect(rows.slice(1).map((row) => fieldsOf(row).slice(1, 3))).toEqual([
    [me.username, 'verify_backup'],
    [me.username, 'create_backup'],
    [me.username, 'free_space'],
    [me.username, 'retry_job'],
    ['command line', 'change_role'],
  ])
})
