import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { newId } from './ids.ts'

const isLinux = process.platform === 'linux'

/**
 * A new name for a file that is of use to this process alone. It tells whose it is, so that others can know when
 * nobody needs it any more.
 */
export const ownName = () => `${process.pid}-${startOf(process.pid) ?? 0}-${world()}-${newId()}`

/** Whether the process that gave a file its name runs; undefined where that cannot be known from here. */
export function isOwnerRunning(name: string): boolean | undefined {
  const [, pid, started, where] = /^(\d+)-(\d+)-([0-9a-f]+)-/.exec(name) ?? []
  if (where !== world()) return undefined
  return isLinux ? startOf(Number(pid)) === started : isRunning(Number(pid))
}

/** Clock ticks after the boot at which a process started; it ends where only its exit code is left. */
function startOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`)
  // The name may contain spaces and brackets; what follows its last bracket is regular: state, ..., start time.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields?.[0] === 'Z' ? undefined : fields?.[19]
}

/** Within which numbers of processes mean the same: not in another container, on another machine, or after a restart. */
function world(): string {
  const parts = isLinux ? [bootId(), readlinkSync('/proc/self/ns/pid')] : [hostname()]
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 12)
}

const bootId = () => read('/proc/sys/kernel/random/boot_id')?.trim() ?? ''

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The process has ended, or the system has no /proc.
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    // No such process (ESRCH), or that of another user (EPERM).
    return false
  }
}
