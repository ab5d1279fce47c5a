import { type BigIntStats, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Launcher } from './binaries.ts'

export interface ServerProcess {
  pid: number
  /** As PostgreSQL names it, e.g. `postgres: checkpointer`. */
  title: string
  /** Whether it waits for a disk or another device. */
  waitsForDevice: boolean
  /** Grows with each slice of CPU time. */
  cpuTime: string
}

/** Other systems do not tell what their processes do. */
export const seesProcesses = existsSync('/proc/self/stat')

/**
 * Returns the processes of a server: the given one and its children, and what an earlier server left behind in the data
 * directory. A lock file can name any process, so those of other users than that of PostgreSQL are left out.
 */
export function listServerProcesses({ home, owner }: Launcher, pid: number | undefined): ServerProcess[] {
  if (!seesProcesses) return []
  // earlier versions ran PostgreSQL as the user of this process
  const users = [owner?.uid, process.getuid?.()]
  const data = statOf(join(home, 'data'))
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): ServerProcess[] => {
      const directory = join('/proc', name)
      if (!users.includes(Number(statOf(directory)?.uid))) return []
      // proc_pid_stat(5): number, program name in parentheses, state, parent …
      const stat = readOrEmpty(join(directory, 'stat'))
      if (!stat.includes(' (postgres) ')) return []
      const [state, parent, ...numbers] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const isOfServer = pid !== undefined && (Number(name) === pid || Number(parent) === pid)
      if (state === 'Z' || (!isOfServer && !isSame(statOf(join(directory, 'cwd')), data))) return []
      return [
        {
          pid: Number(name),
          title: readOrEmpty(join(directory, 'cmdline')).replaceAll('\0', ' ').trim(),
          waitsForDevice: state === 'D',
          // nanoseconds; without scheduler statistics, clock ticks
          cpuTime: readOrEmpty(join(directory, 'schedstat')).split(' ')[0] || numbers.slice(9, 11).join(' '),
        },
      ]
    })
}

/** Whether a process that is named in a lock file is a server on this data directory, and not one that got its number later. */
export function isServer(launcher: Launcher, pid: number): boolean {
  if (!seesProcesses) return signal(pid, 0)
  const data = ` -D ${join(launcher.home, 'data')} `
  return listServerProcesses(launcher, pid).some((each) => each.pid === pid && each.title.includes(data))
}

/** Kills a server with all of its processes, those that are stopped or do not respond, too. */
export function killServer(launcher: Launcher, pid?: number): void {
  // listed before: children of a killed server have another parent
  const processes = listServerProcesses(launcher, pid)
  if (pid !== undefined) signal(pid, 'SIGKILL')
  for (const each of processes) signal(each.pid, 'SIGKILL')
}

/** Returns whether the process exists. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Undefined if the process has ended, or may not be seen. */
function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true })
  } catch {
    return undefined
  }
}

const isSame = (a: BigIntStats | undefined, b: BigIntStats | undefined) =>
  a !== undefined && a.dev === b?.dev && a.ino === b.ino

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
