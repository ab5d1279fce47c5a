import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isDiskFull } from '../platform/disk-full.ts'
import { codeOf } from '../platform/errors.ts'
import { identify } from '../platform/process-identity.ts'
import { StartupError } from '../platform/startup-error.ts'

const minFreeBytes = 64 * 1024 * 1024

/** Makes sure that the directory exists, can be written to and has room. Throws StartupError when not. */
export function prepareDataDir(dataDir: string): void {
  const advice = 'give this user the right to write there, or set DATA_DIR to another directory'
  try {
    makeDirectory(dataDir)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    if (isDiskFull(cause)) throw diskFull(dataDir, cause)
    throw new StartupError(`DATA_DIR (${dataDir}) cannot be written to: ${advice}.`, { cause })
  }
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize < minFreeBytes) throw diskFull(dataDir)
}

/** Step by step: the recursive mkdir of Node never returns below /proc and the like. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return
  makeDirectory(dirname(path))
  mkdirSync(path)
}

export interface DataDirLock {
  /** Whether the last owner ended without giving the lock back: killed, or a power cut. */
  wasStale: boolean
  release(): void
}

/**
 * Takes the directory for this process; undefined while another one that lives holds it. The lock of a killed
 * process is recognised by its start time, so that a process number used again does not keep anybody out.
 */
export function lockDataDir(dataDir: string): DataDirLock | undefined {
  const file = join(dataDir, 'kinora.lock')
  const mine = identify(process.pid) ?? String(process.pid)
  let wasStale = false
  for (;;) {
    if (claim(file, mine)) return { wasStale, release: () => release(file, mine) }
    const holder = read(file)
    if (holder === undefined) continue
    if (holder === '' ? isYoung(file) : identify(Number.parseInt(holder, 10)) === holder) return undefined
    wasStale = true
    // Of several that find it stale only one may remove it, and nobody may remove its successor's.
    const aside = `${file}.${process.pid}`
    if (!tryTo(() => renameSync(file, aside))) continue
    const taken = read(aside) ?? ''
    rmSync(aside, { force: true })
    if (taken !== holder) claim(file, taken)
  }
}

/** Not by a link, which would be there with its text at once: some file systems have none. */
function claim(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false
    if (isDiskFull(cause)) throw diskFull(dirname(file), cause)
    throw new StartupError(`DATA_DIR (${dirname(file)}) cannot be written to (${codeOf(cause)}).`, { cause })
  }
}

/** Its owner may be between creating it and writing into it. */
function isYoung(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > Date.now() - 5000
}

function release(file: string, mine: string): void {
  if (read(file) === mine) rmSync(file, { force: true })
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function tryTo(action: () => unknown): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}

function diskFull(dataDir: string, cause?: unknown): StartupError {
  const need = `Kinora needs ${minFreeBytes / 1024 / 1024} MB to start`
  return new StartupError(
    `The disk that holds DATA_DIR (${dataDir}) is full: free some space, or set DATA_DIR to another disk; ${need}.`,
    { cause },
  )
}
