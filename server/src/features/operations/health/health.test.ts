import { getHealth } from '@kinora/contract/operations/health.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { defaultRepository } from '../backups/actions/repository.ts'
import { createTestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { checkPostgresql } from './actions/database.ts'
import { collectFindings } from './actions/finding.ts'
import { startHeartbeat } from './actions/workers.ts'

test('an administrator sees the checks of doctor, the machine and the workers with their CPU time', async () => {
  const site = await createTestApp({ settings: { FFPROBE_PATH: '/nowhere/ffprobe' } })
  onTestFinished(() => site.close())
  const { client, user } = await signUp(site)
  await updateRole(site.db, user._id, 'administrator')
  const stop = startHeartbeat(site.context)
  const workers = () => site.db.selectFrom('workerProcesses').select('cpuSeconds').execute()
  await expect.poll(workers).toEqual([{ cpuSeconds: expect.any(Number) }])

  const health = await client.call(getHealth, {})
  expect(health).toMatchObject({
    cacheBytes: null,
    queue: { waiting: expect.any(Number), running: 0, failed: 0 },
    lastBackupAt: null,
  })
  expect(health.disk.freeBytes).toBeLessThan(health.disk.totalBytes)
  expect(health.workers).toHaveLength(1)
  expect(health.workers[0]?.cpuSeconds).toBeGreaterThan(0)
  const found = Object.fromEntries(health.findings.map(({ subject, ...rest }) => [subject, rest]))
  expect(found).toMatchObject({
    ffmpeg: { state: 'bad', message: expect.stringContaining('/nowhere/ffprobe cannot be run') },
    disk: { state: expect.any(String) },
    mail: { state: 'note', code: 'mail.off' },
    backup: {
      state: 'note',
      code: 'backup.missing',
      message: expect.stringContaining(defaultRepository(site.context.config).root),
    },
    workers: { state: 'good', message: '1 worker runs' },
  })

  // the checks run at most once a minute
  await stop()
  expect(await workers()).toEqual([])
  const again = await client.call(getHealth, {})
  expect(again.findings).toEqual(health.findings)
  expect(again.checkedAt).toBe(health.checkedAt)
})

test('a site without a worker says so', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const { client, user } = await signUp(site)
  await updateRole(site.db, user._id, 'administrator')
  const stop = startHeartbeat(site.context)
  await expect.poll(() => site.db.selectFrom('workerProcesses').selectAll().execute()).toHaveLength(1)
  onTestFinished(stop)
  site.clock.advance(61_000)
  const { findings, workers } = await client.call(getHealth, {})
  expect(workers).toEqual([])
  expect(findings).toContainEqual({
    subject: 'workers',
    code: 'workers.missing',
    state: 'bad',
    message: expect.stringContaining('No worker was seen within a minute. Start one'),
  })

  // a statement that waits for a lock is reported
  const doctor = collectFindings()
  await site.db.transaction().execute(async (transaction) => {
    await sql`lock table migrations`.execute(transaction)
    await checkPostgresql(site.context.config, site.databaseUrl, doctor.report, 500)
  })
  expect(doctor.findings.at(-1)).toMatchObject({ state: 'bad', message: expect.stringContaining('timeout') })
})
