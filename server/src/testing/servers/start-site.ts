import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, inject, onTestFinished } from 'vitest'
import { type AtEnd, temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { listProcesses } from '@kinora/platform/testing/processes.ts'

const entry = join(import.meta.dirname, '../../../dist/supervisor.js')

/** `npm start` as a real process, without npm. */
export interface StartedSite {
  process: ChildProcess
  /** Its output so far. */
  output(): string
  /** The address it prints when it is ready. Rejects with the output if it ends before. */
  ready: Promise<string>
  /**
   * Its exit code, or the signal that ended it, once all of its child processes have ended and all output has arrived.
   */
  ended: Promise<number | NodeJS.Signals | null>
  /** Settles when the process itself has ended, whatever it has left running. */
  gone: Promise<void>
}

/** For what the tests of a file or of a `describe` share: cleanups after all of them, the last registered first. */
export function cleanUpAfterAll(): AtEnd {
  const cleanUps: Parameters<AtEnd>[0][] = []
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp()
  })
  return (cleanUp) => void cleanUps.push(cleanUp)
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
 * Ports outside of the ephemeral range: a site picks its port long before it binds it, and another program could be
 * assigned an ephemeral one. Parallel test files have their own ranges.
 */
let lastPort = 16_000 + 2000 * (Number(process.env.VITEST_POOL_ID) % 8) + randomInt(1900)

/** Starts the site on a free port. It is stopped at the end of the test if it still runs. */
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
  let output = ''
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += String(chunk)
        // the line may arrive in two chunks
        const address = /ready at (\S+)\n/.exec(output)?.[1]
        if (address) resolve(address)
      })
    }
    child.once('close', () => reject(new Error(`ended before it was ready:\n${output}`)))
  })
  // Not every test awaits it; those that do still get the failure.
  ready.catch(() => {})
  atEnd(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { process: child, output: () => output, ready, ended, gone }
}

/** The processes of a site: those whose command line or environment names the directory. */
export function processesOf(dataDir: string): { pid: number; command: string }[] {
  return listProcesses()
    .filter(({ args, environment }) => args.includes(dataDir) || environment.includes(`DATA_DIR=${dataDir}`))
    .map(({ pid, args }) => ({ pid, command: args.replaceAll('\0', ' ').trim() }))
}
