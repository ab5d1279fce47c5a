import type { WorkerProcess, WorkLimits } from './worker-process.ts'

interface PoolOptions<Response> {
  /** Maximum number of idle processes; others end after their request. */
  maxIdle: number
  idleMs: number
  /** Whether the process ends after this response. */
  mustEnd?: (response: Response) => boolean
}

/** A pool of worker processes, since starting one takes longer than most requests. */
export class ProcessPool<Request, Response> {
  readonly #start: () => WorkerProcess<Request, Response>
  readonly #options: PoolOptions<Response>
  readonly #idle = new Map<WorkerProcess<Request, Response>, NodeJS.Timeout>()

  constructor(start: () => WorkerProcess<Request, Response>, options: PoolOptions<Response>) {
    this.#start = start
    this.#options = options
  }

  /** Sends a request to an idle or a new process. Rejects like `WorkerProcess.request`; the process has ended then. */
  async request(request: Request, limits: WorkLimits): Promise<Response> {
    limits.signal?.throwIfAborted()
    const worker = this.#takeIdle() ?? this.#start()
    const response = await worker.request(request, limits)
    const { maxIdle, mustEnd } = this.#options
    if (mustEnd?.(response) || this.#idle.size >= maxIdle) worker.end()
    else this.#keep(worker)
    return response
  }

  /** Starts a process, unless one is idle, for a request that is expected soon. */
  prefork(): void {
    const [timer] = this.#idle.values()
    if (timer) timer.refresh()
    else this.#keep(this.#start())
  }

  #takeIdle(): WorkerProcess<Request, Response> | undefined {
    const [worker] = this.#idle.keys()
    if (worker) this.#forget(worker)
    return worker
  }

  #keep(worker: WorkerProcess<Request, Response>): void {
    const end = () => {
      this.#forget(worker)
      worker.end()
    }
    const timer = setTimeout(end, this.#options.idleMs)
    timer.unref()
    this.#idle.set(worker, timer)
    worker.rest(end)
  }

  #forget(worker: WorkerProcess<Request, Response>): void {
    clearTimeout(this.#idle.get(worker))
    this.#idle.delete(worker)
  }
}
