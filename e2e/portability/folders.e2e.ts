import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findAccessibilityIssues } from '../fixtures/accessibility.ts'
import { clip } from '../fixtures/clips.ts'
import { startSite } from '../fixtures/site.ts'
import { expect, test } from '../fixtures/test.ts'
import { createAccount, newUser, signIn } from '../fixtures/users.ts'

test('an administrator tries the import of a folder, and then imports it @nightly', async ({ browser }) => {
  const folder = await mkdtemp(join(tmpdir(), 'kinora-lessons-'))
  await mkdir(join(folder, 'Maths'))
  const { buffer } = await clip()
  for (const name of ['Halves.mp4', 'Quarters.mp4']) await writeFile(join(folder, 'Maths', name), buffer)
  await writeFile(
    join(folder, 'Maths', 'Halves.en.srt'),
    '1\n00:00:00,000 --> 00:00:01,000\nWe cut an apple in half\n',
  )
  await writeFile(join(folder, 'broken.mp4'), 'no video')
  const site = await startSite({ IMPORT_FOLDERS: folder })
  const context = await browser.newContext({ baseURL: site.url })
  try {
    const page = await context.newPage()
    const teacher = await createAccount(page, newUser('Ada Lind'), site.url)
    await signIn(page, teacher)
    await site.runCommand('user', 'role', teacher.username, '--to', 'administrator')
    await page.goto('/administration/folders')
    await page.getByLabel('Username of the channel').fill(teacher.username)
    await page.getByLabel('A private playlist for each directory below').check()
    await page.getByLabel('Only report what would be done').check()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Start import' }).click()
    await expect(
      page.getByRole('status').filter({ hasText: /dry run .*: 2 imported · 1 failed/ }),
    ).toBeVisible()
    await expect(page.getByRole('list', { name: 'Problems' })).toContainText('broken.mp4')
    await page.goto('/studio')
    await page.getByText('Videos you upload appear here.').waitFor()

    await page.goto('/administration/folders')
    await page.getByLabel('Username of the channel').fill(teacher.username)
    await page.getByLabel('A private playlist for each directory below').check()
    await page.getByRole('button', { name: 'Start import' }).click()
    await expect(
      page.getByRole('status').filter({ hasText: /ended .*: 2 imported · 1 playlists? · 1 failed/ }),
    ).toBeVisible()
    expect(await findAccessibilityIssues(page)).toEqual([])
    await page.goto('/studio')
    await page.getByRole('main').getByRole('link', { name: 'Halves', exact: true }).click()
    await page.getByRole('region', { name: 'Captions', exact: true }).getByText('English').first().waitFor()
  } finally {
    await context.close()
    await site.stop()
    await rm(folder, { recursive: true })
  }
})
