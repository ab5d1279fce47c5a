import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listAuditLog } from '@kinora/contract/administration.ts'
import { createBackup, listBackups, verifyBackup } from '@kinora/contract/backups.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../../testing/fixtures/test-app.ts'
import { signUp } from '../../testing/fixtures/test-users.ts'
import { updateRole } from '../users/queries.ts'

test('an administrator backs the site up and verifies a backup, which no browser can fetch', async () => {
  const site = await createTestApp({ worker: true })
  onTestFinished(() => site.close())
  site.context.config.databaseUrl = site.databaseUrl
  const { client, user } = await signUp(site)
  await updateRole(site.db, user._id, 'administrator')
  const state = () => client.call(listBackups, {})
  const ended = async () => {
    await expect.poll(async () => (await state()).isRunning, { timeout: 100_000 }).toBe(false)
    return state()
  }
  expect(await state()).toMatchObject({ run: null, backups: [] })

  const start = () => client.post(`/api/v1${createBackup.path}`)
  const statuses = (await Promise.all([start(), start(), start()])).map(({ status }) => status)
  expect(statuses.filter((status) => status === 409)).toHaveLength(2)
  expect(statuses).toContain(200)
  const { backups, run, directory } = await ended()
  expect(run).toMatchObject({ kind: 'create', problems: [], endedAt: expect.any(String) })
  expect(backups).toMatchObject([{ isUsable: true, missing: 0 }])
  const name = backups[0]?.name ?? ''
  await client.call(verifyBackup, { params: { backup: name } })
  expect((await ended()).run).toMatchObject({ kind: 'verify', problems: [] })

  await writeFile(join(directory, 'snapshots', name, 'manifest.json'), '{')
  expect((await state()).backups).toMatchObject([{ name, isUsable: false }])
  await client.call(verifyBackup, { params: { backup: name } })
  expect((await ended()).run?.problems).toEqual([expect.stringContaining('cannot be used')])
  await expect(client.call(verifyBackup, { params: { backup: '..' } })).rejects.toMatchObject({ status: 404 })
  const { entries } = await client.call(listAuditLog, { query: { text: '_backup' } })
  expect(entries.map(({ action }) => action)).toEqual(['verify_backup', 'verify_backup', 'create_backup'])
  for (const path of [`/media/backups/${name}/manifest.json`, `/api/v1/administration/backups/${name}`])
    expect((await client.get(path)).status).toBe(404)
}, 240_000)
