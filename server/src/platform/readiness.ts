/** One thing that must hold before a process can serve; throws when it does not. */
export type Check = () => Promise<unknown>

export interface Readiness {
  isReady: boolean
  /** By what was looked at: `ok`, or in words what is wrong. */
  checks: Record<string, string>
  /** Shared dependencies that fail. A process without them is no worse than any other, so it stays ready. */
  degraded?: Record<string, string>
  /** What is worth knowing, and no reason not to be ready; left out where there is nothing. */
  notes?: Record<string, string>
}

/** How long one check may take: a balancer asks again in a few seconds. */
const checkMs = 3000

export interface ReadinessOptions {
  /** Without these, this process cannot serve. */
  checks: Record<string, Check>
  /** Shared with all other processes: their failure is reported and takes none of them out of a load balancer. */
  dependencies?: Record<string, Check>
  notes?: () => Promise<Record<string, string>>
}

/** Whether a process can serve now: everything that it needs answers, and it is not about to stop. */
export class Ready {
  readonly #checks: Record<string, Check>
  readonly #dependencies: Record<string, Check>
  readonly #notes: () => Promise<Record<string, string>>
  #isStopping = false

  constructor({ checks, dependencies = {}, notes = async () => ({}) }: ReadinessOptions) {
    this.#checks = checks
    this.#dependencies = dependencies
    this.#notes = notes
  }

  /** From now on balancers are to send nobody any more. */
  stop(): void {
    this.#isStopping = true
  }

  async look(): Promise<Readiness> {
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
