import { join } from 'node:path'
import { readOwnFile } from '../../files/own-file.ts'
import type { WatchdogTimes } from '../../watchdog.ts'
import type { Launcher } from './binaries.ts'

export interface DatabaseLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

export interface Cluster {
  launcher: Launcher
  password: string
  settings: Record<string, string>
  log?: DatabaseLog
  times?: WatchdogTimes
}

/** Reads PostgreSQL's lock file: process id on line 1, port on line 4, state on line 8. */
export function readLock({ home }: Launcher): { pid: number; port: number; state: string } | undefined {
  // a server that ends may delete it at any moment
  const text = readOwnFile(join(home, 'data/postmaster.pid'))
  if (text === undefined) return undefined
  const lines = text.split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]), state: lines[7]?.trim() ?? '' }
}
