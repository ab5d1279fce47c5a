import { spawn, spawnSync } from 'node:child_process'
import { existsSync, realpathSync, type Stats, statSync } from 'node:fs'
import { availableParallelism, release } from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { inOwnRoot, loaderPaths, parentsOf, readOnly, systemPaths } from '../files/root-directory.ts'
import { seccompFilter } from './seccomp.ts'

/** Resources that one run may use. */
export type Bounds = {
  /** The files, or URLs of an object store, that the program opens. */
  reads: string[]
  /** Limit of private memory: heap, thread stacks, frames. */
  memoryBytes: number
  timeoutMs: number
  /** File descriptor at which bubblewrap reads its seccomp filter; without one it sets none. */
  filterFd?: number | undefined
}

const bounded = 'time, memory, CPU and open files bounded'

/** Guarantees of each sandbox, strongest first. `testSandbox` finds out which hold on this machine. */
export const sandboxGuarantees = {
  bubblewrap: `no network; sees only its input and libraries; no other process; system calls filtered; ${bounded}`,
  namespaces: `no network; sees only its input and libraries; no other process; ${bounded}`,
  limits: `${bounded}; reads and changes what its user may`,
  memory: `${bounded}; reads and changes what its user may`,
  none: 'time bounded; reads and changes what its user may',
} as const

/** Confines a program that reads uploaded bytes. */
export type Sandbox = {
  name: keyof typeof sandboxGuarantees
  /** The program keeps the rights of root over the files that it sees. */
  keepsRoot: boolean
  wrap(command: string[], bounds: Bounds): string[]
}

/** Name resolution and certificates, for inputs that are URLs. */
const networkPaths = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/ssl', '/etc/pki']

const systemPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin'

/** The whole environment of a sandboxed program; ours contains the password of the database. */
export const sandboxEnv = { PATH: systemPath, MALLOC_ARENA_MAX: '2' }

const isRemote = (location: string) => location.includes('://')
const isRoot = process.getuid?.() === 0
const endWithParent = ['setpriv', '--pdeathsig', 'KILL']
const noNewPrivileges = ['setpriv', '--no-new-privs', '--inh-caps=-all']

/** A command whose process ends when ours does; unchanged on systems without `setpriv`. */
export function endingWithUs(command: string[]): string[] {
  return isThere('setpriv') ? [...endWithParent, ...command] : command
}

let networkPrefix: string[] | undefined

/** Command prefix that starts a program, as the same process, in a network namespace without interfaces. Empty where unsupported. */
export function withoutNetwork(): string[] {
  const prefix = ['unshare', ...(isRoot ? [] : ['--user', '--map-current-user']), '--net']
  networkPrefix ??=
    spawnSync('unshare', [...prefix.slice(1), 'true'], { env: sandboxEnv, timeout: 10_000 }).status === 0
      ? prefix
      : []
  return networkPrefix
}

/** From -1000, never killed when memory runs out, to 1000, killed first; other processes have 0. */
export const FFMPEG_OOM_SCORE = 500

let oomPrefix: string[] | undefined

/** Command prefix that makes the OOM killer prefer this process over the database. Empty where unsupported. */
export function killedFirst(): string[] {
  const prefix = ['choom', '-n', String(FFMPEG_OOM_SCORE), '--']
  oomPrefix ??=
    spawnSync('choom', [...prefix.slice(1), 'true'], { env: sandboxEnv, timeout: 10_000 }).status === 0
      ? prefix
      : []
  return oomPrefix
}

/** A user that owns nothing. Not `nobody`, who may own files and processes. */
export const SANDBOX_UID = 65_533

type Reader = { uid: number; gid: number }

/** The least privileged user and group that can read the inputs, judged by their modes. Undefined if only root can. */
function readerOf(reads: string[]): Reader | undefined {
  const inputs = reads
    .filter((location) => !isRemote(location))
    .map((file) => statSync(file, { throwIfNoEntry: false }))
  const reader = { uid: SANDBOX_UID, gid: SANDBOX_UID }
  for (const input of inputs) {
    if (!input || allows(input, reader)) continue
    if ((input.mode & 0o040) !== 0) reader.gid = input.gid
    else if (input.uid === 0) return undefined
    else reader.uid = input.uid
  }
  return reader
}

/** Whether this user may traverse the parent directories. */
function canReach(file: string, reader: Reader): boolean {
  for (let directory = path.dirname(path.resolve(file)); ; directory = path.dirname(directory)) {
    const stats = statSync(directory, { throwIfNoEntry: false })
    if (stats && !allows(stats, reader, 1)) return false
    if (directory === path.dirname(directory)) return true
  }
}

function allows({ mode, uid, gid }: Stats, reader: Reader, bit = 4): boolean {
  if (uid === reader.uid) return (mode & (bit << 6)) !== 0
  return (mode & (gid === reader.gid ? bit << 3 : bit)) !== 0
}

/** Drops the capabilities of root, if we have them, except those needed to read the input. */
function asReader(reader: Reader | undefined): string[] {
  if (!isRoot || !reader) return noNewPrivileges
  return [...noNewPrivileges, `--reuid=${reader.uid}`, `--regid=${reader.gid}`, '--clear-groups']
}

const unconfined: Sandbox = { name: 'none', keepsRoot: isRoot, wrap: (command) => command }

/**
 * As root no user namespace is needed, and without one the program can become another user permanently. Not
 * `--new-session`: a detached spawn has made a session without a terminal, and killing its process group has to end all
 * of it.
 */
function bubblewrap({ keepsRoot }: { keepsRoot: boolean }): Sandbox {
  return {
    name: 'bubblewrap',
    keepsRoot,
    wrap: ([program = '', ...args], bounds) => {
      const file = locate(program)
      const { seen, inputs, needsNetwork } = visibleFiles(file, bounds)
      const becomesReader = isRoot && !keepsRoot
      const shared = [...seen, ...inputs]
      return [
        'bwrap',
        ...(becomesReader ? [] : ['--unshare-user']),
        ...['ipc', 'pid', 'uts', 'cgroup-try', ...(needsNetwork ? [] : ['net'])].map(
          (one) => `--unshare-${one}`,
        ),
        '--die-with-parent',
        // as with `unshare --fork`: bwrap waits for the program itself, so that its CPU time counts as ours
        '--as-pid-1',
        '--cap-drop',
        'ALL',
        ...(becomesReader ? ['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID'] : []),
        ...(bounds.filterFd === undefined ? [] : ['--seccomp', String(bounds.filterFd)]),
        ...parentsOf(shared).flatMap((directory) => ['--perms', '0755', '--dir', directory]),
        ...shared.flatMap((from) => ['--ro-bind-try', from, from]),
        '--',
        ...(becomesReader ? asReader(readerOf(inputs)) : []),
        ...limit([file, ...args], bounds, becomesReader ? sharedProcessLimit : processLimit),
      ]
    },
  }
}

const namespaces: Sandbox = {
  name: 'namespaces',
  keepsRoot: false,
  wrap: ([program = '', ...args], bounds) => {
    const file = locate(program)
    const { seen, inputs, needsNetwork } = visibleFiles(file, bounds)
    const reader = readerOf(inputs)
    const namespaceOptions = [
      ...(isRoot ? [] : ['--user', '--map-root-user']),
      '--mount',
      '--ipc',
      '--uts',
      '--pid',
      '--fork',
      '--kill-child',
      ...(needsNetwork ? [] : ['--net']),
    ]
    const dropped = [...asReader(reader), '--bounding-set=-all']
    const inside = [...dropped, ...limit([file, ...args], bounds, isRoot ? sharedProcessLimit : processLimit)]
    const mounts = [
      ...seen.map((one) => ({ path: one, options: readOnly })),
      ...inputs.map((one) => ({ path: one, options: `${readOnly},noexec` })),
    ]
    return [...endWithParent, 'unshare', ...namespaceOptions, ...inOwnRoot(mounts, inside)]
  },
}

const limits: Sandbox = {
  name: 'limits',
  keepsRoot: isRoot,
  wrap: (command, bounds) => {
    const inputs = bounds.reads.filter((location) => !isRemote(location))
    const reader = readerOf(inputs)
    const canRead = reader && inputs.every((file) => canReach(file, reader))
    return [...asReader(canRead ? reader : undefined), ...endWithParent, ...limit(command, bounds)]
  },
}

export const sandboxes: Sandbox[] = [
  bubblewrap({ keepsRoot: false }),
  ...(isRoot ? [bubblewrap({ keepsRoot: true })] : []),
  namespaces,
  limits,
  { name: 'memory', keepsRoot: isRoot, wrap: (command, bounds) => limit(command, bounds) },
  unconfined,
]

/** The files that a sandboxed program sees. */
function visibleFiles(file: string, { reads }: Bounds) {
  const needsNetwork = reads.some(isRemote)
  const own = path.dirname(file)
  const isOfSystem = systemPaths.some((directory) => own === directory || own.startsWith(`${directory}/`))
  return {
    needsNetwork,
    seen: [
      ...systemPaths,
      ...loaderPaths,
      ...(isOfSystem ? [] : [own]),
      ...(needsNetwork ? networkPaths : []),
    ],
    inputs: reads.filter((location) => !isRemote(location)),
  }
}

/**
 * Limit of processes and threads of a run; an encoder has up to two threads per core for each of its outputs. The
 * kernel counts those of the run, and not all of the same user, only inside of a user namespace and since Linux 5.14.
 */
const [major = 0, minor = 0] = release().split('.').map(Number)
const processesPerRun = 64 * (1 + availableParallelism())
const processLimit = major > 5 || (major === 5 && minor >= 14) ? { nproc: processesPerRun } : {}
/** Limit of processes where the kernel counts all runs together. */
export const MAX_PROCESSES = 16 * processesPerRun
const sharedProcessLimit = { nproc: MAX_PROCESSES }

/** Outputs are pipes, so that no file needs to grow. */
function limit(
  command: string[],
  { memoryBytes, timeoutMs }: Bounds,
  more: { nproc?: number } = {},
): string[] {
  const cpuSeconds = Math.ceil(timeoutMs / 1000) * availableParallelism()
  const values = { data: memoryBytes, cpu: cpuSeconds, fsize: 0, nofile: 64, core: 0, ...more }
  return ['prlimit', ...Object.entries(values).map(([name, value]) => `--${name}=${value}`), ...command]
}

/** Absolute path of a program. */
function locate(program: string): string {
  const places = program.includes('/')
    ? [path.resolve(program)]
    : systemPath.split(':').map((directory) => path.join(directory, program))
  const found = places.find((place) => existsSync(place))
  return found === undefined ? program : realpathSync(found)
}

/** The programs that sandboxes need, and whether this machine has them. */
export function sandboxTools(): { name: string; isThere: boolean }[] {
  return ['bwrap', 'unshare', 'setpriv', 'prlimit'].map((name) => ({ name, isThere: isThere(name) }))
}

const isThere = (program: string) => locate(program) !== program

const chosen = new Map<string, Promise<Sandbox>>()

/** The strongest sandbox in which a program starts on this machine; tested once for each program. */
export function sandboxFor(program: string): Promise<Sandbox> {
  const sandbox = chosen.get(program) ?? choose(program)
  chosen.set(program, sandbox)
  return sandbox
}

async function choose(program: string): Promise<Sandbox> {
  for (const sandbox of sandboxes) {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const exitCode = await tryOut(sandbox, program)
      if (exitCode === 0) return sandbox
      if (exitCode !== null) break
    }
  }
  // the program cannot be started at all: its first run reports why
  return unconfined
}

/** A test that was killed, perhaps for being slow on a busy machine, is inconclusive. */
const maxTries = 3

/** Exit code of a shell for a program that does not exist. */
const cannotStart = 127

/** The exit code of a program in a sandbox; null if it was killed. */
async function tryOut(sandbox: Sandbox, program: string): Promise<number | null> {
  const bounds = { reads: [import.meta.filename], memoryBytes: 2 ** 30, timeoutMs: 10_000 }
  const { code } = await runInSandbox(sandbox, [program, '-version'], bounds)
  return code
}

/** Runs a program in one particular sandbox, and returns the beginning of its output. */
export function runInSandbox(
  sandbox: Sandbox,
  command: string[],
  bounds: Bounds,
): Promise<{ code: number | null; output: string }> {
  const filterFd = 3
  const [file = '', ...args] = sandbox.wrap(command, { ...bounds, ...withFilter(filterFd) })
  return new Promise((resolve) => {
    const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const
    const child = spawn(file, args, {
      detached: true,
      stdio: [...stdio],
      env: sandboxEnv,
      timeout: bounds.timeoutMs,
      cwd: '/',
    })
    sendFilter(child.stdio[filterFd], bounds)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        if (output.length < MAX_OUTPUT) output += String(chunk)
      })
    }
    child.once('error', () => resolve({ code: cannotStart, output }))
    child.once('close', (code) => resolve({ code, output }))
  })
}

const MAX_OUTPUT = 2 ** 16

/** The part of `Bounds` that names the descriptor of the filter, if there is a filter for this processor. */
export function withFilter(fd: number): Pick<Bounds, 'filterFd'> {
  return seccompFilter({ hasNetwork: false }) === undefined ? {} : { filterFd: fd }
}

/** Writes the filter to the pipe at `filterFd`. Unsandboxed programs ignore it. */
export function sendFilter(
  pipe: Readable | Writable | null | undefined,
  { reads }: Pick<Bounds, 'reads'>,
): void {
  if (!pipe || !('end' in pipe)) return
  pipe.on('error', () => undefined)
  pipe.end(seccompFilter({ hasNetwork: reads.some(isRemote) }))
}
