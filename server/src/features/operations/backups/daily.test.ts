import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../../../testing/fixtures/test-app.ts'
import { changeSettings } from '../site/actions.ts'
import { isRunning } from './actions/start.ts'
import { backUpDaily } from './jobs.ts'

test('a backup begins at night once an administrator has chosen that', async () => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const night = () => backUpDaily.handle({}, site.context, new AbortController().signal)
  await night()
  expect(await isRunning(site.context)).toBe(false)
  await changeSettings(site.context, null, { dailyBackup: true })
  await night()
  expect(await isRunning(site.context)).toBe(true)
  // one that waits is enough
  await night()
})
