import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deniedSyscalls } from './seccomp.ts'
import { SANDBOX_UID, sandboxes } from './sandbox.ts'
import { testSandbox } from './self-test.ts'

const isRoot = process.getuid?.() === 0
/** The users that run the site. Root drops to another user for its children; other users need a user namespace. */
const starters = isRoot ? ['root', 'nobody'] : ['this user']
const isolating = ['bubblewrap', 'namespaces']
const nobody = { uid: 65_534, gid: 65_534 }
const column = process.arch === 'arm64' ? 1 : 0
const numbers = Object.values(deniedSyscalls).map((both) => both[column])
const content = 'uploaded bytes'

/** Runs a Perl program from standard input: perl needs /dev/null for a program in an argument. */
const perl = (program: string, values = '') => `echo '${program}' | perl - ${values}`

/** Each prints ESCAPED on success. */
const attacks: Record<string, string> = {
  'reads the accounts of the machine': 'cat /etc/passwd',
  'reads the file beside its input': 'cat $BESIDE',
  'lists the processes of the machine': 'ls /proc/1',
  'deletes its input': 'rm -f $INPUT',
  'renames its input': 'mv $INPUT $INPUT.moved',
  'truncates its input': 'truncate -s 0 $INPUT',
  'links its input': 'ln $INPUT $INPUT.linked',
  'maps its input for writing': '{ : ; } 1<> $INPUT',
  'changes the mode of its input': 'chmod 777 $INPUT',
  'remounts /usr for writing': 'mount -o remount,rw,bind /usr',
  'mounts a file system': 'mount -t tmpfs none /usr',
  'writes to /usr': 'touch /usr/kinora-probe',
  'signals the server': 'kill -0 $SERVER',
  'traces the server': perl(`exit syscall(${numbers[0]}, 16, $ARGV[0] + 0, 0, 0) != 0`, '$SERVER'),
  'gains rights in a user namespace': 'unshare --user --map-root-user true',
  'becomes root again': perl('$> = 0; exit($> != 0)') + ' && [ $STARTER = root ]',
  'changes its root directory': perl('exit !chroot("/usr")'),
  'connects to a server': `bash -c 'exec 3<>/dev/tcp/127.0.0.1/'$PORT`,
}

let directory: string
let server: Server
let connections = 0

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'kinora-escape-'))
  chmodSync(directory, 0o755)
  server = createServer((socket) => socket.end()).on('connection', () => (connections += 1))
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  server.close()
  rmSync(directory, { recursive: true, force: true })
})

type Results = { works: boolean; uid: number; outputs: string[] }

/** Runs scripts in a sandbox as the user who runs the site. */
function run(starter: string, sandbox: string, scripts: string[]): Results {
  const [input, beside] = [path.join(directory, 'input'), path.join(directory, 'beside')]
  for (const file of [input, beside]) {
    writeFileSync(file, content)
    // without a sandbox the owner may do most of this
    if (starter === 'nobody') chownSync(file, nobody.uid, nobody.gid)
    chmodSync(file, 0o640)
  }
  const { port } = server.address() as { port: number }
  const variables = `INPUT=${input} BESIDE=${beside} PORT=${port} SERVER=${process.pid} STARTER=${starter}`
  const code = `
    const { runInSandbox, sandboxes } = await import(${JSON.stringify(path.join(import.meta.dirname, 'sandbox.ts'))})
    const { sandbox, reads, scripts } = JSON.parse(process.argv[1])
    const bounds = { reads, memoryBytes: 2 ** 30, timeoutMs: 60_000 }
    const run = (script) => runInSandbox(sandboxes.find(({ name }) => name === sandbox), ['sh', '-c', script], bounds)
    const { code, output } = await run('id -u')
    const outputs = []
    for (const script of scripts) outputs.push((await run(script)).output)
    console.log(JSON.stringify({ works: code === 0, uid: Number(output), outputs }))`
  const all = scripts.map((script) => `${variables}; ${script}`)
  const request = JSON.stringify({ sandbox, reads: [input], scripts: all })
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code, request], {
    ...(starter === 'nobody' ? nobody : {}),
    cwd: '/',
    encoding: 'utf8',
  })
  if (!stdout) throw new Error(stderr)
  return JSON.parse(stdout) as Results
}

describe.each(starters.flatMap((starter) => isolating.map((name) => ({ starter, name }))))(
  'code in the sandbox $name of a site that $starter runs',
  ({ starter, name }) => {
    let results: Results

    beforeAll(() => {
      connections = 0
      const attempts = Object.values(attacks).map((attack) => `${attack} && echo ESCAPED`)
      results = run(starter, name, [...attempts, 'cat $INPUT'])
    })

    test.for(Object.keys(attacks).map((attack, at) => ({ attack, at })))(
      'never $attack',
      ({ at }, { skip }) => {
        skip(!results.works, `${name} does not work on this machine`)
        expect(results.outputs[at]).not.toContain('ESCAPED')
      },
    )

    test('reads its input and changes no file', ({ skip }) => {
      skip(!results.works, `${name} does not work on this machine`)
      expect(results.outputs.at(-1)).toBe(content)
      expect(readdirSync(directory).toSorted()).toEqual(['beside', 'input'])
      expect(readFileSync(path.join(directory, 'input'), 'utf8')).toBe(content)
      expect(connections).toBe(0)
    })

    // a user namespace, which other users need, shows numbers of its own
    test.for(starter === 'root' ? [SANDBOX_UID] : [])('is user %i, not root', (uid, { skip }) => {
      skip(!results.works, `${name} does not work on this machine`)
      expect(results.uid).toBe(uid)
    })
  },
)

test.for(starters)(
  'the seccomp filter of bubblewrap denies every listed system call, site run by %s',
  (starter, { skip }) => {
    const all = perl(
      'for (@ARGV) { $! = 0; syscall($_ + 0, 0, 0, 0, 0, 0); print "$_ " unless $! == 1 }',
      numbers.join(' '),
    )
    const clone3 = perl('$! = 0; syscall(435, 0, 0); print $! + 0')
    const socket = perl('for (1, 2, 10, 16) { print socket(my $s, $_, 2, 0) ? "yes " : "no " }')
    const { works, outputs } = run(starter, 'bubblewrap', [all, clone3, socket])
    skip(!works, 'bubblewrap does not work on this machine')
    skip(spawnSync('perl', ['-e', '1']).status !== 0, 'no perl, which makes the calls')
    expect(outputs).toEqual(['', '38', 'yes no no no '])
  },
)

test('the sandbox report lists prevented attacks', async ({ skip }) => {
  const byName = (name: string) => sandboxes.find((sandbox) => sandbox.name === name)
  const [strong, none] = [byName('bubblewrap'), byName('none')]
  if (!strong || !none) throw new Error('unreachable')
  const tried = [
    'read',
    'unlink',
    'rename',
    'truncate',
    'mmap',
    'kill',
    'ptrace',
    'remount',
    'connect',
    'fork',
  ]
  expect((await testSandbox(none)).open).toEqual(
    expect.arrayContaining(['read', 'unlink', 'truncate', 'connect']),
  )
  const report = await testSandbox(strong)
  skip(report.prevented.length === 0, 'bubblewrap does not work on this machine')
  expect(report).toEqual({ prevented: tried, open: [] })
})
