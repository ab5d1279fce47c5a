import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { newId } from './ids.ts'

const isLinux = process.platform === 'linux'

/**
 * Returns a unique name for a file of this process. The name identifies the process, so that other processes can delete
 * the file after it ended.
 */
export const ownName = () => `${process.pid}-${startTimeOf(process.pid) ?? 0}-${pidNamespace()}-${newId()}`

/** Whether the process that named a file is running; undefined if it belongs to another machine, container or boot. */
export function isOwnerRunning(name: string): boolean | undefined {
  const [, pid, started, where] = /^(\d+)-(\d+)-([0-9a-f]+)-/.exec(name) ?? []
  if (where !== pidNamespace()) return undefined
  return isLinux ? startTimeOf(Number(pid)) === started : isRunning(Number(pid))
}

/** Returns the start time of a process in clock ticks since the boot; undefined if it ended (or is a zombie). */
function startTimeOf(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`)
  // the program name may contain spaces and parentheses, so fields are counted after its last parenthesis
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields?.[0] === 'Z' ? undefined : fields?.[19]
}

/** Identifies the scope of process ids: the same machine, boot and container. */
function pidNamespace(): string {
  const parts = isLinux ? [bootId(), readlinkSync('/proc/self/ns/pid')] : [hostname()]
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 12)
}

/** Identifies this machine until it restarts: containers on one machine have the same. */
export const machineId = () => (isLinux && bootId()) || hostname()

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
