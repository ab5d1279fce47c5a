import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A server for comparison, in a separate process. */
export interface BareProcess {
  url: string
  pid: number
  stop(): Promise<void>
}

/** Starts a script that prints the address it listens at; `input` is what it reads. */
export async function startBareProcess(
  script: string,
  { args = [], input }: { args?: string[]; input?: Buffer } = {},
): Promise<BareProcess> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(input)
  const lines = createInterface({ input: child.stdout })
  const url = await new Promise<string>((resolve) => {
    lines.once('line', resolve)
  })
  return {
    url,
    pid: child.pid ?? 0,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}
