import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const operations = ['install', 'scaling']
  .map((page) => readFileSync(join(root, `docs/operations/${page}.md`), 'utf8'))
  .join('\n')
/** Each as docs/operations/ has it: its name, its text, and the instances that are switched on. */
const units = [
  ...operations.matchAll(
    /^```ini\n# \/etc\/systemd\/system\/(\S+): systemctl enable --now (.+)\n([^`]+)```$/gm,
  ),
].map(([, name = '', enabled = '', text = '']) => ({ name, enabled, text }))
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
if (!hasSystemd) console.warn('Skipped: there is no systemd to look at the units of docs/operations/.')

test('there is one for everything together and one for each role', () => {
  expect(units.map(({ name, enabled }) => [name, enabled])).toEqual([
    ['kinora.service', 'kinora'],
    ['kinora-web@.service', 'kinora-web@3001 kinora-web@3002'],
    ['kinora-worker@.service', 'kinora-worker@9400'],
  ])
})

test.skipIf(!hasSystemd).each(units)(
  'systemd finds nothing wrong with $name',
  async ({ name, enabled, text }) => {
    expect(await complaints(name, text)).toBe('')
    // and it would say so
    expect(await complaints(name, text.replace('Restart=', 'Restarts='))).toContain("Unknown key 'Restarts'")

    // what it runs is there where the site was cloned to
    const [, program = '', rest = ''] = /^ExecStart=(\S+) (.*)$/m.exec(text) ?? []
    const at = /^WorkingDirectory=(.*)$/m.exec(text)?.[1] ?? ''
    const named = [
      program,
      ...rest
        .split(' ')
        .filter((word) => word.includes('/'))
        .map((file) => join(at, file)),
    ]
    for (const file of named.filter((each) => each.startsWith(at))) {
      expect(existsSync(join(root, file.slice(at.length))), file).toBe(true)
    }
    expect(enabled.split(' ').every((each) => each.split('@')[0] === name.split(/[@.]/)[0])).toBe(true)
  },
)

/** What systemd says of a unit, with a program that is there in the place of one that is only where it is installed. */
async function complaints(name: string, text: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'kinora-units-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = join(directory, name)
  await writeFile(file, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`))
  const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  return stdout + stderr
}
