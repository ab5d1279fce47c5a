import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { availableParallelism, release } from 'node:os'
import path from 'node:path'

/** What one run may have of the machine. */
type Bounds = {
  /** The files, or URLs of an object store, that the program opens. */
  reads: string[]
  /** Largest amount of private memory: heap, thread stacks, pictures. */
  memoryBytes: number
  timeoutMs: number
}

const bounded = 'bounded time, memory, CPU and open files; no byte written to any file'
const few = 'bounded processes, but for root'
const mortal = 'ends with the process that started it'

/** What each box keeps a program from, strongest first; in words for the operator. */
export const boxHolds = {
  bubblewrap: `no network; sees no file but its input and libraries, and no other process; ${few}; ${mortal}; ${bounded}`,
  namespaces: `no network; reaches no other process's memory; ${few}; ${mortal}; ${bounded}`,
  limits: `${mortal}; ${bounded}`,
  memory: bounded,
  none: 'bounded time',
} as const

/** What keeps a program that reads strangers' bytes from doing harm, as far as this machine allows it. */
export type Box = {
  name: keyof typeof boxHolds
  wrap(command: string[], bounds: Bounds): string[]
}

/** Libraries and what finds them; the names of hosts where the input is a URL. */
const systemPaths = ['/usr', '/bin', '/lib', '/lib64', '/opt', '/nix/store', '/gnu/store']
const loaderPaths = ['/etc/ld.so.cache', '/etc/alternatives']
const networkPaths = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/ssl', '/etc/pki']

const systemPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin'

/** All that a program learns of our environment; the database's password stands there too. */
export const boxEnv = { PATH: systemPath, MALLOC_ARENA_MAX: '2' }

const isRemote = (location: string) => location.includes('://')
const bind = (from: string) => ['--ro-bind-try', from, from]
const endWithParent = ['setpriv', '--pdeathsig', 'KILL']

/** A command whose process ends with ours, however that one ends and whatever it does; where the system has no such thing, as it is. */
export function endingWithUs(command: string[]): string[] {
  return isThere('setpriv') ? [...endWithParent, ...command] : command
}

const unboxed: Box = { name: 'none', wrap: (command) => command }

export const boxes: Box[] = [
  {
    name: 'bubblewrap',
    wrap: ([program = '', ...args], bounds) => {
      const file = locate(program)
      const needsNetwork = bounds.reads.some(isRemote)
      const seen = [...systemPaths, ...loaderPaths, path.dirname(file), ...(needsNetwork ? networkPaths : [])]
      const walls = ['--unshare-all', '--die-with-parent', ...(needsNetwork ? ['--share-net'] : [])]
      const inputs = bounds.reads.filter((location) => !isRemote(location))
      return [
        'bwrap',
        ...walls,
        ...[...seen, ...inputs].flatMap(bind),
        '--',
        ...limit([file, ...args], bounds, processLimit),
      ]
    },
  },
  {
    name: 'namespaces',
    wrap: (command, bounds) => {
      const walls = [
        '--user',
        '--map-current-user',
        '--ipc',
        ...(bounds.reads.some(isRemote) ? [] : ['--net']),
      ]
      return ['unshare', ...walls, ...endWithParent, ...limit(command, bounds, processLimit)]
    },
  },
  { name: 'limits', wrap: (command, bounds) => [...endWithParent, ...limit(command, bounds)] },
  { name: 'memory', wrap: (command, bounds) => limit(command, bounds) },
  unboxed,
]

/**
 * Processes and threads at once; an encoder has up to two threads a core for each of its outputs. Only inside of a user
 * namespace, and only since Linux 5.14, does the system count those of the run and not all of the same user. It counts
 * nobody's when the site runs as root.
 */
const [major = 0, minor = 0] = release().split('.').map(Number)
const processLimit =
  major > 5 || (major === 5 && minor >= 14) ? { nproc: 64 * (1 + availableParallelism()) } : {}

/** Outputs are pipes, so that no file needs to grow. */
function limit(
  command: string[],
  { memoryBytes, timeoutMs }: Bounds,
  more: { nproc?: number } = {},
): string[] {
  const cpuSeconds = Math.ceil(timeoutMs / 1000) * availableParallelism()
  const limits = { data: memoryBytes, cpu: cpuSeconds, fsize: 0, nofile: 64, core: 0, ...more }
  return ['prlimit', ...Object.entries(limits).map(([name, value]) => `--${name}=${value}`), ...command]
}

/** Where a program that may be named without its directory is. */
function locate(program: string): string {
  const places = program.includes('/')
    ? [path.resolve(program)]
    : systemPath.split(':').map((directory) => path.join(directory, program))
  const found = places.find((place) => existsSync(place))
  return found === undefined ? program : realpathSync(found)
}

/** The programs that boxes are built with, and whether this machine has them. */
export function boxBuilders(): { name: string; isThere: boolean }[] {
  return ['bwrap', 'unshare', 'setpriv', 'prlimit'].map((name) => ({ name, isThere: isThere(name) }))
}

const isThere = (program: string) => locate(program) !== program

const chosen = new Map<string, Promise<Box>>()

/** The strongest box in which a program starts on this machine; tried out once for each program. */
export function boxFor(program: string): Promise<Box> {
  const box = chosen.get(program) ?? choose(program)
  chosen.set(program, box)
  return box
}

async function choose(program: string): Promise<Box> {
  for (const box of boxes) {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const exitCode = await tryOut(box, program)
      if (exitCode === 0) return box
      if (exitCode !== null) break
    }
  }
  // it cannot be started at all: its first run says why
  return unboxed
}

/** A trial that was killed, perhaps for being slow on a busy machine, says nothing about the box. */
const maxTries = 3

/** What a shell says of a program that is not there. */
const cannotStart = 127

/** With which code a program ends in a box; null when it was killed. */
function tryOut(box: Box, program: string): Promise<number | null> {
  const bounds = { reads: [import.meta.filename], memoryBytes: 2 ** 30, timeoutMs: 10_000 }
  const [file = '', ...args] = box.wrap([program, '-version'], bounds)
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'ignore', env: boxEnv, timeout: bounds.timeoutMs })
    child.once('error', () => resolve(cannotStart))
    child.once('close', resolve)
  })
}
