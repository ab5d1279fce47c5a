import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runInProcess } from './fixtures/run-in-process.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'

const cli = join(import.meta.dirname, '../bin/cli.ts')
const hasSystemd = process.getuid?.() === 0 && spawnSync('systemctl', ['--version']).status === 0
if (!hasSystemd) console.warn('Skipped: installing a service needs root and the programs of systemd.')

const run = (...args: string[]) => runInProcess(['service', ...args], {})
const listFiles = (root: string) => globSync('{etc,usr}/**/*kinora*', { cwd: root }).toSorted()
const unitFiles = [
  'kinora-ingest@.service',
  'kinora-web@.service',
  'kinora-worker@.service',
  'kinora.service',
]

test.skipIf(!hasSystemd)(
  'installs the service, keeps its settings at a repetition, and removes it',
  async () => {
    const root = temporaryDirectory()
    const at = (file: string) => join(root, file)
    const installed = await run('install', '--root', root, '--url', 'https://video.example.org/')
    expect(installed, installed.errors).toMatchObject({ exitCode: 0 })

    for (const name of unitFiles) {
      const { stdout, stderr } = spawnSync('systemd-analyze', [
        'verify',
        '--man=no',
        at(`etc/systemd/system/${name}`),
      ])
      expect(String(stdout) + String(stderr)).toBe('')
    }
    expect(existsSync(at('etc/systemd/system/multi-user.target.wants/kinora-web@.service'))).toBe(false)
    const [, uid] = /^kinora:.*?:(\d+):/m.exec(readFileSync(at('etc/passwd'), 'utf8')) ?? []
    expect(statSync(at('var/lib/kinora-data'))).toMatchObject({ uid: Number(uid) })
    const settings = at('etc/kinora.env')
    expect(statSync(settings).mode & 0o777).toBe(0o600)
    expect(readFileSync(settings, 'utf8')).toContain('\nPUBLIC_URL=https://video.example.org\n')

    const command = at('usr/local/bin/kinora')
    expect(statSync(command).mode & 0o777).toBe(0o755)
    expect(spawnSync('sh', [command, 'service', '--help'], { encoding: 'utf8' }).stdout).toContain('install')
    expect(readFileSync(command, 'utf8')).not.toContain('/opt/kinora')

    writeFileSync(settings, 'DATA_DIR=/srv/videos\n')
    const units = ['kinora', 'kinora-ingest@9401', 'kinora-web@3001', 'kinora-worker@9400']
    const repeated = await run('install', ...units, '--root', root, '--json')
    expect(repeated.json.steps.filter((text: string) => text.startsWith('write'))).toEqual([])
    expect(readFileSync(settings, 'utf8')).toBe('DATA_DIR=/srv/videos\n')
    expect(globSync('etc/systemd/system/multi-user.target.wants/*', { cwd: root })).toHaveLength(units.length)
    await run('install', '--root', root, '--url', 'http://10.0.0.4:3000')
    const plan = await run('install', '--root', root, '--dry-run')
    expect(plan.output).toContain(`enable ${units.join(' ')}`)
    expect(readFileSync(settings, 'utf8')).toBe('DATA_DIR=/srv/videos\nPUBLIC_URL=http://10.0.0.4:3000\n')

    expect(await run('uninstall', '--root', root)).toMatchObject({ exitCode: 0 })
    expect(listFiles(root)).toEqual(['etc/kinora.env'])
    expect(existsSync(at('var/lib/kinora-data'))).toBe(true)
    const nothing = await run('uninstall', '--root', root)
    expect(nothing).toMatchObject({ exitCode: 0, output: expect.stringContaining('There is no service') })
  },
)

test('a dry run lists its steps and changes nothing', async () => {
  const root = temporaryDirectory()
  const { exitCode, output } = await run('install', '--root', root, '--dry-run')
  expect(exitCode).toBe(0)
  expect(output).toContain(`write ${join(root, 'etc/systemd/system/kinora.service')}`)
  expect(output).toContain(`run systemctl --root=${root} enable kinora`)
  expect(readdirSync(root)).toEqual([])
})

test('refuses unknown units and addresses', async () => {
  const root = temporaryDirectory()
  expect(await run('install', 'kinora-api@3001', '--root', root)).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining('There is no unit kinora-api@3001'),
  })
  expect(await run('install', '--root', root, '--url', 'video.example.org')).toMatchObject({ exitCode: 2 })
  expect(listFiles(root)).toEqual([])
})

test.skipIf(existsSync('/run/systemd/system'))('refuses a machine without systemd', async () => {
  expect(await run('install', '--dry-run')).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('systemd does not run on this machine'),
  })
})

const hasNamespaces = spawnSync('unshare', ['--user', 'true']).status === 0

test.skipIf(!hasNamespaces)('refuses other users than root', () => {
  const root = temporaryDirectory()
  // a namespace in which root is nobody
  const args = ['--user', process.execPath, cli, 'service', 'install', '--root', root]
  expect(spawnSync('unshare', args, { encoding: 'utf8' })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Only root can change services'),
  })
  expect(listFiles(root)).toEqual([])
})
