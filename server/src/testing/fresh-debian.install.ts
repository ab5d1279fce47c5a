import { execFileSync } from 'node:child_process'
import dns from 'node:dns'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tls from 'node:tls'
import { login } from '@kinora/contract/accounts/sign-in.ts'
import { beforeAll, expect, test, vi } from 'vitest'
import { expectPlayable } from './fixtures/expect-playable.ts'
import { TestClient } from './fixtures/test-client.ts'
import { upload } from './fixtures/test-uploads.ts'
import { registrationForm, testPassword } from './fixtures/test-users.ts'
import { documentedBlocks } from './servers/documented-blocks.ts'
import { Machine } from './servers/machine.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'

/**
 * docs/operations/install.md on a fresh Debian that systemd runs, from the first command to the removal. One site lives
 * through all tests, in their order. First it has the version before the newest migration.
 */
const name = 'video.example.org'
const repository = '/srv/kinora.git'
const root = join(import.meta.dirname, '../../..')
const blocks = documentedBlocks('install.md', 'sh example').map((block) => block.trim().split('\n'))
const blockWith = (command: string) => blocks.find((lines) => lines.includes(command)) ?? []
const patience = { timeout: 120_000, interval: 500 }

let machine: Machine
let bare: string
const visitor = new TestClient(`https://${name}`)
const isReady = async () => (await visitor.get('/readyz').catch(() => undefined))?.status
const untilReady = () => expect.poll(isReady, patience).toBe(200)
const journal = () => machine.execute('journalctl --unit kinora --output cat')
let ana: TestClient
let video: Awaited<ReturnType<typeof upload>>

beforeAll(async () => {
  let deleteDirectory: () => void | Promise<void> = () => undefined
  const directory = temporaryDirectory((cleanUp) => (deleteDirectory = cleanUp))
  bare = join(directory, 'kinora.git')
  execFileSync('git', ['clone', '--quiet', '--bare', root, bare])
  const migrations = ['server/migrations', ':!server/migrations/0001-baseline.sql']
  useVersion(`${git('log', '-1', '--format=%H', '--diff-filter=A', 'HEAD', '--', ...migrations)}^`)
  machine = new Machine(join(directory, 'debian'), { [repository]: bare })
  await machine.boot()
  return async () => {
    await machine.stop()
    await deleteDirectory()
  }
})

test('at most eight commands and one edited file lead to a site with TLS', async () => {
  const [commands = []] = blocks
  expect(commands.length).toBeLessThanOrEqual(8)
  const [caddyfile = ''] = documentedBlocks('proxy-and-tls.md', '')
  let directory = '/root'
  for (const command of commands) {
    if (command === 'systemctl reload caddy') {
      // no public certificate authority reaches this machine
      const text = `{\n  local_certs\n}\n${caddyfile}`
      machine.execute(`cat > /etc/caddy/Caddyfile <<'END'\n${text}END`)
    }
    if (command.startsWith('cd ')) directory = command.slice(3)
    else machine.execute(command.replace('<repository>', repository), directory)
  }
  const authority = 'var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'
  tls.setDefaultCACertificates([
    ...tls.getCACertificates(),
    readFileSync(join(machine.directory, authority), 'utf8'),
  ])
  const { lookup } = dns
  const leadToMachine: typeof lookup = ((host: string, ...rest: [never]) =>
    lookup(host === name ? machine.address : host, ...rest)) as never
  vi.spyOn(dns, 'lookup').mockImplementation(leadToMachine)
  await untilReady()
  expect(journal()).toContain(`https://${name}/setup#`)

  ana = new TestClient(visitor.origin)
  const form = await registrationForm()
  expect((await ana.post('/api/v1/users/register', form)).status).toBe(201)
  await ana.call(login, { body: { username: String(form.get('username')), password: testPassword } })
  video = await upload(ana, 'On a fresh machine')
  await expectPlayable(ana, video)
})

test('starts again after a kill and after a restart of the machine', async () => {
  machine.execute('kill -9 $(systemctl show --property MainPID --value kinora)')
  await expect
    .poll(() => machine.execute('systemctl show --property NRestarts --value kinora'), patience)
    .toBe('1')
  await untilReady()
  await machine.reboot()
  await untilReady()
  await expectPlayable(ana, video)
})

test('stops in order within the time limit of the unit', async () => {
  const startedAt = performance.now()
  machine.execute('systemctl restart kinora')
  expect(performance.now() - startedAt).toBeLessThan(60_000)
  await untilReady()
  expect(journal()).toMatch(/Stopping \(SIGTERM\)[^]*Stopped\./)
})

test('upgrades, confines itself and ffmpeg, and goes back', async () => {
  const before = machine.execute('git rev-parse HEAD', '/opt/kinora')
  useVersion('refs/heads/newest')
  for (const command of blockWith('systemctl stop kinora')) machine.execute(command, '/opt/kinora')
  await untilReady()
  await expectPlayable(ana, video)
  expect(machine.execute('kinora service install')).not.toContain('write ')
  const started = () => machine.execute('journalctl --output cat --invocation=0 --unit kinora')
  await expect.poll(started, patience).toMatch(/"sandbox":"bubblewrap".*"sandbox ready"/)
  expect(machine.execute('ps -C postgres,node -o user= | sort -u')).toBe('kinora')
  const { findings } = JSON.parse(machine.execute('kinora doctor --json'))
  expect(findings.filter(({ state }: { state: string }) => state === 'bad')).toEqual([])

  const restore = blocks.find((lines) => lines.some((line) => line.startsWith('kinora restore '))) ?? []
  for (const command of restore) machine.execute(command.replace('<version>', before), '/opt/kinora')
  await untilReady()
  await expectPlayable(ana, video)
})

test('moves to a PostgreSQL of its own, with a unit for each process', async () => {
  machine.execute('apt-get install -y --no-install-recommends postgresql')
  const statements = [
    `create role kinora login password 'secret'`,
    'create database kinora owner kinora encoding UTF8 template template0',
    '\\c kinora',
    'create extension if not exists unaccent',
  ]
  machine.execute(
    `runuser -u postgres -- psql -v ON_ERROR_STOP=1 <<'END'\n${statements.join(';\n')};\nEND`,
    '/',
  )
  machine.execute('kinora backup /var/lib/kinora-data/backups')
  machine.execute('systemctl disable --now kinora')
  machine.execute('git checkout --quiet main && node scripts/setup.mjs --ffmpeg --site', '/opt/kinora')
  machine.execute('echo DATABASE_URL=postgres://kinora:secret@127.0.0.1/kinora >> /etc/kinora.env')
  machine.execute('kinora restore /var/lib/kinora-data/backups')
  const units = 'kinora-web@3001 kinora-web@3002 kinora-worker@9400'
  machine.execute(`/opt/kinora/bin/kinora service install ${units}`)
  machine.execute(`sed -i 's/127.0.0.1:3000/127.0.0.1:3001 127.0.0.1:3002/' /etc/caddy/Caddyfile`)
  machine.execute('systemctl reload caddy')
  await untilReady()
  await expectPlayable(ana, video)
  await expectPlayable(ana, await upload(ana, 'By a worker of its own'))
  expect(machine.execute(`systemctl is-active ${units} | sort -u`)).toBe('active')
})

test('is removed but for its data', () => {
  machine.execute('kinora service uninstall')
  expect(machine.execute('systemctl list-unit-files --no-legend "kinora*" || true')).toBe('')
  expect(machine.execute('ls /usr/local/bin /var/lib/kinora-data')).toMatch(
    /^\/usr\/local\/bin:\n\n.*\nbackups\nsite$/,
  )
})

/** Has the repository of the machine end with a commit. */
function useVersion(commit: string): void {
  if (git('branch', '--list', 'newest') === '') git('branch', 'newest')
  git('update-ref', 'refs/heads/main', commit)
  git('symbolic-ref', 'HEAD', 'refs/heads/main')
}

function git(...args: string[]): string {
  return execFileSync('git', ['-C', bare, ...args], { encoding: 'utf8' }).trim()
}
