import { accessSync, constants } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export interface FileLock {
  readonly isOpen: boolean
  close(): void
}

const sqliteBusy = 5
/** SQLITE_IOERR_RDLOCK and SQLITE_IOERR_LOCK: the disk has no locks. */
const sqliteLockFailures = [2314, 3850]

const codeOfSqlite = (error: unknown) =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined

/** Whether `lockFile` threw this because the disk has no locks. */
export const isWithoutLocks = (error: unknown) => sqliteLockFailures.includes(codeOfSqlite(error) ?? 0)

/**
 * Locks a file until it is closed; undefined if somebody else has locked it, in this process or another. Shared locks exclude only
 * exclusive ones. A file lock of the operating system ends with its process, unlike a file with a process id. Node has no API
 * for file locks, so a transaction of SQLite takes it. Throws if the disk has no locks, and for an exclusive lock of a file that may
 * not be written.
 */
export function lockFile(file: string, kind: 'shared' | 'exclusive'): FileLock | undefined {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 0 })
    // SQLite begins an exclusive transaction in a read-only file without its lock
    if (kind === 'exclusive') accessSync(file, constants.W_OK)
    // the database stays empty and needs no journal file
    database.exec('pragma journal_mode = memory')
    // a read takes the shared lock
    database.exec(kind === 'exclusive' ? 'begin exclusive' : 'begin; select * from sqlite_schema')
    return database
  } catch (cause) {
    database?.close()
    if (codeOfSqlite(cause) === sqliteBusy) return undefined
    throw cause
  }
}
