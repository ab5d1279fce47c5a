import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generousLimits } from '../server/src/testing/servers/generous-limits.ts'
import { listProcesses } from '@kinora/platform/testing/processes.ts'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'

const entry = join(import.meta.dirname, '../server/dist/supervisor.js')
const preloads = ['jumping-clock.ts', 'block-on-signal.ts'].flatMap((file) => [
  '--import',
  join(import.meta.dirname, file),
])
const victimDeadlineMs = 30_000
const firstStartDeadlineMs = 120_000

type Part = 'web' | 'worker' | 'ingest' | 'ffmpeg' | 'postgres' | 'backend' | 'auxiliary' | 'startup'

/** A whole site as `npm start` runs it, with methods that inject faults. */
export class VictimSite {
  readonly dataDir: string
  readonly port: number
  #supervisor: ChildProcess | undefined
  #output = ''
  readonly #settings: Record<string, string>

  private constructor(dataDir: string, port: number, settings: Record<string, string>) {
    this.dataDir = dataDir
    this.port = port
    this.#settings = settings
  }

  static async prepare(dataDir: string, settings: Record<string, string> = {}): Promise<VictimSite> {
    const site = new VictimSite(dataDir, await findQuietPort(), settings)
    mkdirSync(join(dataDir, 'disk'))
    writeFileSync(join(dataDir, 'no-disk'), '')
    site.giveStorage()
    site.setClock(0)
    return site
  }

  /** Shifts the clocks of web, worker and supervisor by a positive or negative offset. */
  setClock(aheadMs: number): void {
    writeFileSync(this.#clockFile, String(aheadMs))
  }

  get #clockFile(): string {
    return join(this.dataDir, 'clock')
  }

  /** Makes all files of the storage inaccessible at once; one by one, files would look deleted. */
  takeStorage(): void {
    this.#linkStorage('no-disk')
  }

  giveStorage(): void {
    this.#linkStorage('disk')
  }

  #linkStorage(target: string): void {
    const link = join(this.dataDir, 'next-storage')
    symlinkSync(target, link)
    renameSync(link, join(this.dataDir, 'storage'))
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Log output so far. */
  get output(): string {
    return this.#output
  }

  async start(): Promise<void> {
    this.#launch()
    const isUp = await this.untilUp(firstStartDeadlineMs)
    if (isUp === undefined) throw new Error(`The site did not start:\n${this.#output.slice(-4000)}`)
  }

  #launch(): void {
    this.#supervisor = spawn(process.execPath, [...preloads, entry], {
      env: {
        ...process.env,
        ...generousLimits,
        PORT: String(this.port),
        DATA_DIR: this.dataDir,
        KINORA_CLOCK_FILE: this.#clockFile,
        LOG_LEVEL: 'info',
        ...this.#settings,
        CACHE_MAX_DISK_PERCENT: '100',
        npm_lifecycle_event: undefined,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#supervisor.stdout, this.#supervisor.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.#output += String(chunk)))
    }
  }

  /** Polls until the site reads and writes again. Returns the time it took, or undefined after `patienceMs`. */
  async untilUp(timeoutMs: number): Promise<number | undefined> {
    const startedAt = performance.now()
    while (performance.now() - startedAt < timeoutMs) {
      if ((await this.#isFine('/readyz')) && (await this.#isFine('/api/v1/video/all'))) {
        return performance.now() - startedAt
      }
      await delay(50)
    }
    return undefined
  }

  async #isFine(path: string): Promise<boolean> {
    try {
      const response = await fetch(this.origin + path, { signal: AbortSignal.timeout(3000) })
      await response.arrayBuffer()
      return response.ok
    } catch {
      return false
    }
  }

  get isRunning(): boolean {
    return this.#supervisor?.exitCode === null && this.#supervisor.signalCode === null
  }

  get supervisorPid(): number {
    return this.#supervisor?.pid ?? 0
  }

  async stop(): Promise<void> {
    if (!this.isRunning || !this.#supervisor) return
    this.#supervisor.kill('SIGTERM')
    await once(this.#supervisor, 'exit')
  }

  /** Returns the process ids of one part of the site. */
  processes(part: Part): number[] {
    const patterns = {
      web: /dist\/web\.js/,
      worker: /dist\/worker\.js/,
      ingest: /dist\/ingest\.js/,
      ffmpeg: /ff(mpeg|probe) /,
      postgres: new RegExp(`bin/postgres.* -D ${this.dataDir}`),
      backend: /^postgres: kinora(_app)? /,
      auxiliary: /^postgres: (?!kinora)/,
      startup: /^postgres: startup/,
    }
    const isChild = part === 'backend' || part === 'auxiliary' || part === 'startup'
    const postgres = isChild ? this.processes('postgres') : []
    return listProcesses()
      .map(({ args, ...process }) => ({ ...process, command: args.replaceAll('\0', ' ').trim() }))
      .filter(({ command }) => patterns[part].test(command))
      .filter(({ parent, command, environment }) =>
        isChild
          ? postgres.includes(parent)
          : command.includes(this.dataDir) || environment.includes(`DATA_DIR=${this.dataDir}`),
      )
      .map(({ pid }) => pid)
  }

  /** Waits for processes of one part, which may be starting. Throws when there are none. */
  async find(part: Part): Promise<number[]> {
    for (
      const startedAt = performance.now();
      performance.now() - startedAt < victimDeadlineMs;
      await delay(20)
    ) {
      const found = this.processes(part)
      if (found.length > 0) return found
    }
    throw new Error(`There is no process of ${part}`)
  }

  signal(part: Part, name: NodeJS.Signals): number {
    const found = this.processes(part)
    for (const pid of found) signal(pid, name)
    return found.length
  }

  /** Kills the supervisor and all its processes, as a power loss does, and restarts it. */
  async crash(isEverything: boolean): Promise<void> {
    const supervisor = this.#supervisor
    if (!supervisor) return
    const parts = ['ffmpeg', 'web', 'worker', 'ingest', 'backend', 'postgres'] as const
    const pids = isEverything ? parts.flatMap((part) => this.processes(part)) : []
    const ended = this.isRunning ? once(supervisor, 'exit') : undefined
    for (const pid of [...(ended ? [this.supervisorPid] : []), ...pids]) signal(pid, 'SIGKILL')
    await ended
    this.#launch()
  }
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it ended meanwhile
  }
}

/** Mounts a small disk; undefined where this user may not. */
export function mountSmallDisk(directory: string, megabytes: number): (() => void) | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'kinora-chaos', directory], {
      stdio: 'ignore',
    })
    return () => execFileSync('umount', ['-l', directory], { stdio: 'ignore' })
  } catch {
    return undefined
  }
}
