import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { listProcesses } from './processes.ts'

const entry = join(import.meta.dirname, '../../bin/supervisor.ts')

/** `npm start` as a real process, without npm. */
export interface StartedSite {
  process: ChildProcess
  /** Everything it said so far. */
  output(): string
  /** The address it prints when it is ready. Throws with what it said when it ends before. */
  ready: Promise<string>
  /** Its exit code, or the signal that ended it, once all that wrote for it is gone and everything it said is here. */
  ended: Promise<number | NodeJS.Signals | null>
  /** Settles when the process itself is gone, whatever it has left running. */
  gone: Promise<void>
}

/** Takes what is to be done in the end: of the test, unless a whole file shares what is started. */
export type AtEnd = (cleanUp: () => void | Promise<void>) => void

/** A directory that is gone after the test. */
export function temporaryDirectory(atEnd: AtEnd = onTestFinished): string {
  const directory = mkdtempSync(join(tmpdir(), 'kinora-start-'))
  atEnd(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }))
  return directory
}

/** A DATA_DIR with the database of an empty site, gone after the test: a start on it creates none. */
export function siteDirectory(atEnd: AtEnd = onTestFinished): string {
  const directory = temporaryDirectory(atEnd)
  // Keeps owners, unlike Node: PostgreSQL does not run as root.
  execFileSync('cp', ['-a', `${inject('siteTemplate')}/.`, directory])
  return directory
}

interface Launch {
  dataDir: string
  env?: NodeJS.ProcessEnv
  uid?: number
  /** A command that runs the rest, e.g. ['unshare', '-r']. */
  through?: string[]
  /** Path of bin/supervisor.ts in another checkout. */
  startFile?: string
  atEnd?: AtEnd
}

/**
 * Ports that the system gives nobody by itself: a start looks for its port long before it listens there, and somebody who
 * asked for any free one might be quicker. Files that run side by side have their own.
 */
let lastPort = 16_000 + 2000 * (Number(process.env.VITEST_POOL_ID) % 8) + randomInt(1900)

/** Starts the site on a free port; at the end of the test it is stopped if it still runs. */
export function startSite({
  dataDir,
  env = {},
  uid,
  through = [],
  startFile = entry,
  atEnd = onTestFinished,
}: Launch): StartedSite {
  const [command, ...args] = [...through, process.execPath, startFile]
  const child = spawn(command ?? '', args, {
    env: {
      ...process.env,
      PORT: String((lastPort += 1)),
      LOG_LEVEL: 'info',
      DATA_DIR: dataDir,
      npm_lifecycle_event: undefined,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  let said = ''
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said += String(chunk)
        // the line may come in two pieces
        const address = /ready at (\S+)\n/.exec(said)?.[1]
        if (address) resolve(address)
      })
    }
    child.once('close', () => reject(new Error(`ended before it was ready:\n${said}`)))
  })
  // Not every test waits for it; whoever does still gets the failure.
  ready.catch(() => {})
  atEnd(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { process: child, output: () => said, ready, ended, gone }
}

/** Processes whose command line or environment names the directory: all that a site consists of. */
export function processesOf(dataDir: string): { pid: number; command: string }[] {
  return listProcesses()
    .filter(({ args, environment }) => args.includes(dataDir) || environment.includes(`DATA_DIR=${dataDir}`))
    .map(({ pid, args }) => ({ pid, command: args.replaceAll('\0', ' ').trim() }))
}
