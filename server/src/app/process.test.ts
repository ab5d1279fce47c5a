import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test.each(["throw new Error('later')", "void Promise.reject(new Error('later'))"])(
  'logs what nothing handles with its stack, and exits with 1: %s',
  (failure) => {
    const program = `
      import { runProcess } from ${JSON.stringify(join(import.meta.dirname, 'process.ts'))}
      await runProcess(async () => { setTimeout(() => { ${failure} }) })
      setInterval(() => undefined, 1000)`
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      level: 'fatal',
      msg: 'process ended: uncaught exception',
      err: { message: 'later', stack: expect.stringContaining('at ') },
    })
  },
)

test('an ingest process says that live streams are off', () => {
  const program = join(import.meta.dirname, '../bin/ingest.ts')
  const { status, stderr } = spawnSync(process.execPath, [program], {
    encoding: 'utf8',
    env: { ...process.env, LIVE: 'false', DATABASE_URL: 'postgres://127.0.0.1:1/none' },
  })
  expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('needs LIVE=true') })
})
