import { DatabaseSync } from 'node:sqlite'

export interface FileLock {
  readonly isOpen: boolean
  close(): void
}

const sqliteBusy = 5

/**
 * Locks a file until it is closed; undefined if somebody else has locked it, in this process or another. Shared locks exclude only
 * exclusive ones. A file lock of the operating system ends with its process, unlike a file with a process id. Node has no API
 * for file locks, so a transaction of SQLite takes it. Throws if the disk has no locks.
 */
export function lockFile(file: string, kind: 'shared' | 'exclusive'): FileLock | undefined {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 0 })
    // the database stays empty and needs no journal file
    database.exec('pragma journal_mode = memory')
    // a read takes the shared lock
    database.exec(kind === 'exclusive' ? 'begin exclusive' : 'begin; select * from sqlite_schema')
    return database
  } catch (cause) {
    database?.close()
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === sqliteBusy) return undefined
    throw cause
  }
}
