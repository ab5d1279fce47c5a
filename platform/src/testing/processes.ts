import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Process {
  pid: number
  /** Parent pid; NaN if the process has just ended. */
  parent: number
  /** The arguments, each followed by a NUL byte. */
  args: string
  /** The environment at its start, each variable followed by a NUL byte; empty if it may not be read. */
  environment: string
}

/** Running processes, without zombies and those that end during the listing. */
export function listProcesses(): Process[] {
  return globSync('/proc/[0-9]*').flatMap((directory) => {
    const args = readOrEmpty(join(directory, 'cmdline'))
    const environment = readOrEmpty(join(directory, 'environ'))
    const parent = Number(/^PPid:\s+(\d+)/m.exec(readOrEmpty(join(directory, 'status')))?.[1])
    return args === '' ? [] : [{ pid: Number(directory.slice('/proc/'.length)), parent, args, environment }]
  })
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
