import type { PreforkedProcess, WorkLimits } from './preforked-process.ts'

interface PoolOptions<Response> {
  /** Maximum number of idle processes; others end after their request. */
  maxIdle: number
  idleMs: number
  /** Whether the process ends after this response. */
  mustEnd?: (response: Response) => boolean
}

/** A pool of preforked processes, since starting one takes longer than most requests. */
export class ProcessPool<Request, Response> {
  readonly #start: () => PreforkedProcess<Request, Response>
  readonly #options: PoolOptions<Response>
  readonly #idle = new Map<PreforkedProcess<Request, Response>, NodeJS.Timeout>()

  constructor(start: () => PreforkedProcess<Request, Response>, options: PoolOptions<Response>) {
    this.#start = start
    this.#options = options
  }

  /** Sends a request to an idle or a new process. Rejects like `PreforkedProcess.request`; the process has ended then. */
  async request(request: Request, limits: WorkLimits): Promise<Response> {
    limits.signal?.throwIfAborted()
    const preforked = this.#takeIdle() ?? this.#start()
    const response = await preforked.request(request, limits)
    const { maxIdle, mustEnd } = this.#options
    if (mustEnd?.(response) || this.#idle.size >= maxIdle) preforked.end()
    else this.#keep(preforked)
    return response
  }

  /** Starts a process, unless one is idle, for a request that is expected soon. */
  prefork(): void {
    const [timer] = this.#idle.values()
    if (timer) timer.refresh()
    else this.#keep(this.#start())
  }

  #takeIdle(): PreforkedProcess<Request, Response> | undefined {
    const [preforked] = this.#idle.keys()
    if (preforked) this.#forget(preforked)
    return preforked
  }

  #keep(preforked: PreforkedProcess<Request, Response>): void {
    const end = () => {
      this.#forget(preforked)
      preforked.end()
    }
    const timer = setTimeout(end, this.#options.idleMs)
    timer.unref()
    this.#idle.set(preforked, timer)
    preforked.rest(end)
  }

  #forget(preforked: PreforkedProcess<Request, Response>): void {
    clearTimeout(this.#idle.get(preforked))
    this.#idle.delete(preforked)
  }
}
