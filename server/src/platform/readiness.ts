/** Throws when the process cannot serve. */
export type Check = () => Promise<unknown>

export interface Readiness {
  isReady: boolean
  /** By name: `ok`, or what is wrong. */
  checks: Record<string, string>
  /** Shared dependencies that fail. A process without them is no worse than any other, so it stays ready. */
  degraded?: Record<string, string>
  /** Information that does not make the process unready. Left out where there is none. */
  notes?: Record<string, string>
}

/** Timeout of one check: a load balancer asks again in a few seconds. */
const checkMs = 3000

export interface ReadinessOptions {
  /** Without these, this process cannot serve. */
  checks: Record<string, Check>
  /** Shared with all other processes: their failure is reported and takes none of them out of a load balancer. */
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
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${checkMs / 1000} s`)), checkMs).unref()
  })
  try {
    await Promise.race([check(), late])
    return 'ok'
  } catch (error) {
    return error instanceof Error && error.message ? error.message : 'does not answer'
  }
}
