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
import { isDiskFull } from './disk-full.ts'
import { codeOf } from '../errors.ts'
import { lockFile } from './file-lock.ts'
import { StartupError } from '../startup-error.ts'

const minFreeBytes = 64 * 1024 * 1024

/** Removes write access of the group and all access of other users. */
export const PRIVATE_UMASK = 0o027
const OTHERS = 0o007

/**
 * Creates the directory if needed, checks that it is writable and has free space, and closes it to other users. Sets the
 * umask of this process and its children accordingly; nginx must be in the group to send files from there.
 * Throws StartupError if it cannot be used.
 */
export function prepareDataDir(dataDir: string): void {
  process.umask(PRIVATE_UMASK)
  const advice = 'Give this user the right to write there, or set DATA_DIR to another directory'
  try {
    makeDirectory(dataDir)
    closeToOthers(dataDir)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    if (isDiskFull(cause)) throw diskFull(dataDir, cause)
    throw new StartupError(`DATA_DIR (${dataDir}) cannot be written to. ${advice}.`, { cause })
  }
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize < minFreeBytes) throw diskFull(dataDir)
}

/**
 * Creates a directory and its parents one by one: Node's recursive mkdir never returns below /proc. Other processes may
 * create them at the same time.
 */
export function makeDirectory(path: string, mode?: number): void {
  if (existsSync(path)) return
  makeDirectory(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** Only the owner can change the mode. `doctor` reports open directories of another owner. */
function closeToOthers(path: string): void {
  const { mode, uid } = statSync(path)
  if (uid === process.getuid?.() && (mode & OTHERS) !== 0) chmodSync(path, mode & 0o7777 & ~OTHERS)
}

export interface DataDirLock {
  /** Whether the last owner ended without releasing the lock (killed, or power loss). */
  wasStale: boolean
  release(): void
}

/**
 * Locks the directory; undefined if another process, possibly in another container, has locked it. A second file exists
 * until the lock is released, and shows a stale lock.
 */
export function lockDataDir(dataDir: string): DataDirLock | undefined {
  const lock = takeLock(join(dataDir, 'kinora.lock.db'))
  if (!lock) return undefined
  const pidFile = pidFileOf(dataDir)
  const wasStale = existsSync(pidFile)
  try {
    writeFileSync(pidFile, `${process.pid}\n`)
  } catch (cause) {
    lock.close()
    if (isDiskFull(cause)) throw diskFull(dataDir, cause)
    throw new StartupError(`DATA_DIR (${dataDir}) cannot be written to (${codeOf(cause)}).`, { cause })
  }
  return {
    wasStale,
    release() {
      if (!lock.isOpen) return
      rmSync(pidFile, { force: true })
      lock.close()
    },
  }
}

/** Whether a process on this machine has locked the directory, or ended without releasing it. */
export const hasOwner = (dataDir: string): boolean => existsSync(pidFileOf(dataDir))

const pidFileOf = (dataDir: string) => join(dataDir, 'kinora.pid')

function takeLock(file: string) {
  try {
    return lockFile(file, 'exclusive')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(
      `${file} cannot be locked (${reason}). Set DATA_DIR to a directory on a local disk.`,
      { cause },
    )
  }
}

function diskFull(dataDir: string, cause?: unknown): StartupError {
  const need = `Kinora needs ${minFreeBytes / 1024 / 1024} MB to start`
  return new StartupError(
    `The disk of DATA_DIR (${dataDir}) is full. Free disk space, or set DATA_DIR to another disk. ${need}.`,
    { cause },
  )
}
