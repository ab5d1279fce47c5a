import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDiskFull } from './disk-full.ts'
import { codeOf } from '../errors.ts'
import { StartupError } from '../startup-error.ts'

const minFreeBytes = 64 * 1024 * 1024

/** Taken from everything that is created: writing by the group, and all access of others. */
export const PRIVATE_UMASK = 0o027
const OTHERS = 0o007

/**
 * Makes sure that the directory exists, can be written to, has room, and is closed to other users: a program that sends
 * files from there has to be in the group. What this process and its children create is closed to others, too.
 * Throws StartupError when it cannot be used.
 */
export function prepareDataDir(dataDir: string): void {
  process.umask(PRIVATE_UMASK)
  const advice = 'give this user the right to write there, or set DATA_DIR to another directory'
  try {
    makeDirectory(dataDir)
    closeToOthers(dataDir)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    if (isDiskFull(cause)) throw diskFull(dataDir, cause)
    throw new StartupError(`DATA_DIR (${dataDir}) cannot be written to: ${advice}.`, { cause })
  }
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize < minFreeBytes) throw diskFull(dataDir)
}

/** Makes a directory and its parents, one after the other: the recursive mkdir of Node never returns below /proc and the like. */
export function makeDirectory(path: string, mode?: number): void {
  if (existsSync(path)) return
  makeDirectory(dirname(path), mode)
  mkdirSync(path, { mode })
}

/** One that belongs to somebody else is theirs to close: `doctor` says so. */
function closeToOthers(path: string): void {
  const { mode, uid } = statSync(path)
  if (uid === process.getuid?.() && (mode & OTHERS) !== 0) chmodSync(path, mode & 0o7777 & ~OTHERS)
}

export interface DataDirLock {
  /** Whether the last owner ended without giving the lock back: killed, or a power cut. */
  wasStale: boolean
  release(): void
}

/**
 * Takes the directory for this process; undefined while another one that lives holds it, also in another container. It is
 * a lock of the operating system on a file, which ends with its process, so that nobody has to judge by process numbers
 * who lives; SQLite is what Node has to take one. A second file is there as long as the lock was not given back.
 */
export function lockDataDir(dataDir: string): DataDirLock | undefined {
  const held = holdFile(join(dataDir, 'kinora.lock.db'))
  if (!held) return undefined
  const taken = join(dataDir, 'kinora.pid')
  const wasStale = existsSync(taken)
  try {
    writeFileSync(taken, `${process.pid}\n`)
  } catch (cause) {
    held.close()
    if (isDiskFull(cause)) throw diskFull(dataDir, cause)
    throw new StartupError(`DATA_DIR (${dataDir}) cannot be written to (${codeOf(cause)}).`, { cause })
  }
  return {
    wasStale,
    release() {
      if (!held.isOpen) return
      rmSync(taken, { force: true })
      held.close()
    },
  }
}

const sqliteBusy = 5

/** Locks a file, which stays empty, until it is closed; undefined while another process does. */
function holdFile(file: string): DatabaseSync | undefined {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 0 })
    // it never holds anything, so that a journal beside it would be for nothing
    database.exec('pragma journal_mode = memory; begin exclusive')
    return database
  } catch (cause) {
    database?.close()
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === sqliteBusy) return undefined
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(`${file} cannot be locked (${reason}): set DATA_DIR to a directory on a disk.`, {
      cause,
    })
  }
}

function diskFull(dataDir: string, cause?: unknown): StartupError {
  const need = `Kinora needs ${minFreeBytes / 1024 / 1024} MB to start`
  return new StartupError(
    `The disk that holds DATA_DIR (${dataDir}) is full: free some space, or set DATA_DIR to another disk; ${need}.`,
    { cause },
  )
}
