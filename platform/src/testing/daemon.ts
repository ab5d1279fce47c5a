import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'

/** A program of the distribution that tests run, which is killed when this process dies. */
export class Daemon {
  readonly #start: () => ChildProcess
  readonly #output: string
  #child: ChildProcess

  /** Starts a command; what it prints goes to the file `output`. */
  constructor(output: string, env: NodeJS.ProcessEnv, program: string, ...args: string[]) {
    this.#output = output
    const command = `exec setpriv --pdeathsig KILL ${program} "$@" >>"$0" 2>&1`
    this.#start = () => spawn('sh', ['-c', command, output, ...args], { env, stdio: 'ignore' })
    this.#child = this.#start()
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async output(): Promise<string> {
    return readFile(this.#output, 'utf8').catch(() => '')
  }

  /** Kills it without a shutdown. */
  async stop(): Promise<void> {
    if (this.hasEnded) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }

  /** Starts it again. Only after it has ended. */
  restart(): void {
    this.#child = this.#start()
  }
}
