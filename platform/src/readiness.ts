/** Throws when the process cannot serve. */
export type Check = () => Promise<unknown>

export interface Readiness {
  isReady: boolean
  /** By name: `ok`, or the failure. */
  checks: Record<string, string>
  /** Failing dependencies that all processes share. They do not make a process unready, as it would be no better to use another one. */
  degraded?: Record<string, string>
  /** Other information; omitted if there is none. */
  notes?: Record<string, string>
}

/** Timeout of one check. Load balancers repeat the request every few seconds. */
const checkMs = 3000

export interface ReadinessOptions {
  /** If one fails, this process is not ready. */
  checks: Record<string, Check>
  /** Shared by all processes: failures are reported as `degraded`. */
  dependencies?: Record<string, Check>
  notes?: () => Promise<Record<string, string>>
}

/** Health checks of a process, for `/readyz`. */
export class HealthChecks {
  readonly #checks: Record<string, Check>
  readonly #dependencies: Record<string, Check>
  readonly #notes: () => Promise<Record<string, string>>
  #isStopping = false

  constructor({ checks, dependencies = {}, notes = async () => ({}) }: ReadinessOptions) {
    this.#checks = checks
    this.#dependencies = dependencies
    this.#notes = notes
  }

  /** Makes `/readyz` fail, so that load balancers send no more requests. */
  stop(): void {
    this.#isStopping = true
  }

  async check(): Promise<Readiness> {
    if (this.#isStopping) return { isReady: false, checks: { process: 'is stopping' } }
    const [checks, dependencies, notes] = await Promise.all([
      runAll(this.#checks),
      runAll(this.#dependencies),
      this.#notes(),
    ])
    const failing = dependencies.filter(([, result]) => result !== 'ok')
    return {
      isReady: checks.every(([, result]) => result === 'ok'),
      checks: Object.fromEntries(checks),
      ...(failing.length > 0 ? { degraded: Object.fromEntries(failing) } : {}),
      ...(Object.keys(notes).length > 0 ? { notes } : {}),
    }
  }
}

function runAll(checks: Record<string, Check>): Promise<[name: string, result: string][]> {
  return Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, string]> => [
      name,
      await resultOf(check),
    ]),
  )
}

async function resultOf(check: Check): Promise<string> {
  const timedOut = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error(`no response within ${checkMs / 1000} s`)), checkMs).unref()
  })
  try {
    await Promise.race([check(), timedOut])
    return 'ok'
  } catch (error) {
    return error instanceof Error && error.message ? error.message : 'does not respond'
  }
}
