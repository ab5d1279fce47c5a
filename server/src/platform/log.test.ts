import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const module = JSON.stringify(join(import.meta.dirname, 'log.ts'))

test.each([
  ['web', 'stdout'],
  ['operator', 'stderr'],
] as const)('what is logged as %s is on %s', (role, place) => {
  const program = `(await import(${module})).createLog('error', '${role}').error('a line')`
  const said = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(JSON.parse(said[place])).toMatchObject({ role, msg: 'a line' })
  expect(said.stdout + said.stderr).toBe(said[place])
})
