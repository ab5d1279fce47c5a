/** One thing that must hold before a process can serve; throws when it does not. */
export type Check = () => Promise<unknown>

export interface Readiness {
  isReady: boolean
  /** By what was looked at: `ok`, or in words what is wrong. */
  checks: Record<string, string>
  /** What is worth knowing, and no reason not to be ready; left out where there is nothing. */
  notes?: Record<string, string>
}

/** How long one check may take: a balancer asks again in a few seconds. */
const checkMs = 3000

/** Whether a process can serve now: everything that it needs answers, and it is not about to stop. */
export class Ready {
  readonly #checks: Record<string, Check>
  readonly #notes: () => Record<string, string>
  #isStopping = false

  constructor(checks: Record<string, Check>, notes: () => Record<string, string> = () => ({})) {
    this.#checks = checks
    this.#notes = notes
  }

  /** From now on balancers are to send nobody any more. */
  stop(): void {
    this.#isStopping = true
  }

  async look(): Promise<Readiness> {
    if (this.#isStopping) return { isReady: false, checks: { process: 'is stopping' } }
    const looked = await Promise.all(
      Object.entries(this.#checks).map(async ([name, check]) => [name, await resultOf(check)] as const),
    )
    const notes = this.#notes()
    return {
      isReady: looked.every(([, result]) => result === 'ok'),
      checks: Object.fromEntries(looked),
      ...(Object.keys(notes).length > 0 ? { notes } : {}),
    }
  }
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
