import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestApp } from './fixtures/test-app.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'

/**
 * Blocks marked `sh` are executed. Blocks marked `sh example` need root, other machines or values of the reader: only
 * their syntax is checked, and that our files and commands exist. `point-in-time-recovery.nightly.test.ts` executes some of
 * those.
 */
const root = join(import.meta.dirname, '../../..')
const blocks = globSync('docs/operations/*.md', { cwd: root }).flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```sh( example)?\n(.*?)^```$/gms)].map(
    ([, example, script = '']) => ({ page, script, isExample: example !== undefined }),
  ),
)

const run = (script: string, args: string[], env: NodeJS.ProcessEnv = process.env) =>
  // Vitest cannot end what a command that does not end blocks
  spawnSync('bash', [...args, '-c', script], { cwd: root, env, encoding: 'utf8', timeout: 100_000 })

test.each(blocks.filter(({ isExample }) => !isExample))('$page: $script succeeds', async ({ script }) => {
  const site = await createTestApp()
  onTestFinished(() => site.close())
  const backups = temporaryDirectory()
  const { status, stdout, stderr } = run(
    script.replaceAll('/mnt/backups', backups).replaceAll('/opt/kinora', root),
    ['-e'],
    { ...process.env, DATABASE_URL: site.databaseUrl, DATA_DIR: site.context.config.dataDir },
  )
  expect(status, stdout + stderr).toBe(0)
})

describe.each(blocks.filter(({ isExample }) => isExample))('$page: $script', ({ script }) => {
  test('is valid shell', () => {
    expect(run(script.replaceAll(/<[a-z]+>/g, 'value'), ['-n']).stderr).toBe('')
  })

  test('names existing programs and files', () => {
    const files = script.match(/\b(?:scripts|server|packaging|node_modules)\/[\w./@-]+/g) ?? []
    for (const file of files) expect(globSync(file, { cwd: root }), file).not.toEqual([])
    for (const [, name = ''] of script.matchAll(/npm run ([\w:]+)/g))
      expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts).toHaveProperty(name)
  })
})

test('every command block states whether this test runs it', () => {
  const marks = globSync('docs/operations/*.md', { cwd: root }).flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/^```(sh|bash|shell|console)\b(.*)$/gm)].map(
      ([, language, mark]) => `${language}${mark}`,
    ),
  )
  expect(new Set(marks)).toEqual(new Set(['sh', 'sh example']))
})
