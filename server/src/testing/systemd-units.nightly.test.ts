import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const directory = join(root, 'packaging/systemd')
/** The first line of each is the command that enables it, with its instances. */
const units = readdirSync(directory)
  .toSorted()
  .map((name) => {
    const text = readFileSync(join(directory, name), 'utf8')
    return { name, text, enabled: /^# systemctl enable --now (.+)$/m.exec(text)?.[1] ?? '' }
  })
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
if (!hasSystemd) console.warn('Skipped: systemd-analyze is not installed.')

test('there is one unit for everything together and one for each role', () => {
  expect(units.map(({ name, enabled }) => [name, enabled])).toEqual([
    ['kinora-ingest@.service', 'kinora-ingest@9401'],
    ['kinora-web@.service', 'kinora-web@3001 kinora-web@3002'],
    ['kinora-worker@.service', 'kinora-worker@9400'],
    ['kinora.service', 'kinora'],
  ])
})

test.skipIf(!hasSystemd).each(units)('systemd accepts $name', async ({ name, enabled, text }) => {
  expect(await complaints(name, text)).toBe('')
  // proves that systemd reports problems
  expect(await complaints(name, text.replace('Restart=', 'Restarts='))).toContain("Unknown key 'Restarts'")

  // the program exists in the cloned repository
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
})

/** Of 10, where 0 is safe. */
const maxExposure = 3

test.skipIf(!hasSystemd).each(units)('$name has a low exposure level', async ({ name, text }) => {
  const exposure = async (changed: string) => {
    const file = await writeUnit(name, changed)
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], {
      encoding: 'utf8',
    })
    return Number(/Overall exposure level [^:]*: ([\d.]+)/.exec(stdout)?.[1])
  }
  expect(await exposure(text)).toBeLessThanOrEqual(maxExposure)
  expect(await exposure(text.replace('CapabilityBoundingSet=', ''))).toBeGreaterThan(maxExposure)
})

test('all units have the same confinement', () => {
  const confinements = units.map(({ text }) =>
    text.slice(text.indexOf('# Confinement'), text.indexOf('[Install]')),
  )
  expect(new Set(confinements).size).toBe(1)
})

/** Problems that systemd reports, with an existing program in place of one that exists only when installed. */
async function complaints(name: string, text: string): Promise<string> {
  const file = await writeUnit(name, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`))
  const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  return stdout + stderr
}

async function writeUnit(name: string, text: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'kinora-units-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const file = join(home, name)
  await writeFile(file, text)
  return file
}
