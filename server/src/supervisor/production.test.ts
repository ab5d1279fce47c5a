import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSite, temporaryDirectory } from '../testing/servers/start-site.ts'

const root = join(import.meta.dirname, '../../..')

/** Returns the packages that `npm ci --omit=dev` installs. */
function productionPackages(): string[] {
  const installed: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8'),
  )
  const packages = Object.entries(installed.packages).filter(
    ([path, { dev }]) => path.includes('node_modules/') && dev !== true,
  )
  return packages.map(([path]) => path)
}

test('the site starts with a prebuilt site and no development dependency', async () => {
  mkdirSync(join(root, '.tooling'), { recursive: true })
  const tree = mkdtempSync(join(root, '.tooling/production-'))
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }))
  const sources = ['package.json', 'server/package.json', 'server/src', 'server/migrations']
  const shared = ['contract/package.json', 'contract/src', 'web/package.json', 'web/dist']
  const packages = productionPackages()
  expect(packages.length).toBeGreaterThan(50)
  expect(packages).not.toContain('node_modules/vitest')
  // Hard links instead of copies; modules resolve within this tree only.
  execFileSync('cp', ['-al', '--parents', ...sources, ...shared, ...packages, tree], { cwd: root })

  const site = startSite({
    dataDir: temporaryDirectory(),
    startFile: join(tree, 'server/src/bin/supervisor.ts'),
  })
  const page = await fetch(await site.ready)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root"')])
})
