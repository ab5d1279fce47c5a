import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { join } from 'node:path'

const entry = join(import.meta.dirname, '../../bin/cli.ts')

export interface Ran {
  exitCode: number | null
  output: string
  errors: string
  /** Parsed output of `--json`. */
  json: any // oxlint-disable-line typescript/no-explicit-any -- as many shapes as commands
}

/** Starts a CLI command as a real process, without npm; `preloaded` is a module that runs before it. */
export function spawnKinora(
  args: string[],
  env: NodeJS.ProcessEnv,
  preloaded?: string,
): ChildProcessWithoutNullStreams {
  const before = preloaded === undefined ? [] : ['--import', preloaded]
  return spawn(process.execPath, [...before, entry, ...args], { env: { ...process.env, ...env } })
}

/** Runs a command to its end. */
export async function runKinora(args: string[], env: NodeJS.ProcessEnv, input?: string): Promise<Ran> {
  const child = spawnKinora(args, env)
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
  // a program that ends without reading its input is judged by its exit code
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { exitCode, output, errors, json: args.includes('--json') ? JSON.parse(output) : undefined }
}
