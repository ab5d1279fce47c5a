import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSite, temporaryDirectory } from '../testing/servers/start-site.ts'

const root = join(import.meta.dirname, '../../..')

test('a release starts without a development package, and with its own Node', async () => {
  const tree = join(temporaryDirectory(), 'kinora')
  execFileSync(process.execPath, ['scripts/release.mjs', '--tree', tree], { cwd: root })
  expect(existsSync(join(tree, 'node_modules/vitest'))).toBe(false)

  const site = startSite({
    dataDir: temporaryDirectory(),
    startFile: join(tree, 'server/src/bin/supervisor.ts'),
  })
  const page = await fetch(await site.ready)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root"')])

  const help = execFileSync(join(tree, 'bin/kinora'), ['--help'], { env: {}, encoding: 'utf8' })
  expect(help).toContain('Usage: kinora')
})
