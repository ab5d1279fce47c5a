import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Process statistics from /proc. On other systems than Linux every number is NaN. */

const ticksPerSecond = 100

/** CPU seconds, of user and system, that processes have used so far, with those of their children that have ended. */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0
  for (const pid of pids) {
    const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
    for (const index of [11, 12, 13, 14]) ticks += Number(fields[index] ?? Number.NaN)
  }
  return ticks / ticksPerSecond
}

/** The same without children. */
export function ownCpuSeconds(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond
}

/** Peak resident memory of a process, in MB. */
export function peakMemoryMb(pid: number): number {
  return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]) / 1024)
}

/** Memory of a process that is not a file, in MB: heaps and buffers, whatever else runs the same program. */
export function anonymousMemoryMb(pid: number): number {
  return Number(/^RssAnon:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]) / 1024
}

/** Proportional set size (PSS) of a process in MB. */
export function proportionalMemoryMb(pid: number): number {
  return Math.round(Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1]) / 1024)
}

/** The child processes of a process whose command line has a word in it. */
export function childrenOf(parent: number, word = ''): number[] {
  return everyPid().filter((pid) => {
    const isChild = Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]) === parent
    return (
      isChild &&
      (word === '' ||
        read(`/proc/${pid}/cmdline`)
          .split('\0')
          .some((argument) => path.parse(argument).name === word))
    )
  })
}

function everyPid(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
