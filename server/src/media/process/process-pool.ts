import type { WorkerProcess, WorkLimits } from './worker-process.ts'

interface PoolOptions<Answer> {
  /** Processes kept without a request; more end with their answer. */
  maxIdle: number
  idleMs: number
  /** Whether the process of an answer ends with it. */
  mustEnd?: (answer: Answer) => boolean
}

/** Worker processes that wait for the next request, since starting one takes longer than most requests. */
export class ProcessPool<Request, Answer> {
  readonly #start: () => WorkerProcess<Request, Answer>
  readonly #options: PoolOptions<Answer>
  readonly #idle = new Map<WorkerProcess<Request, Answer>, NodeJS.Timeout>()

  constructor(start: () => WorkerProcess<Request, Answer>, options: PoolOptions<Answer>) {
    this.#start = start
    this.#options = options
  }

  /** Answers from an idle process, or from a new one. Rejects like `WorkerProcess.ask`; the process has ended then. */
  async ask(request: Request, limits: WorkLimits): Promise<Answer> {
    limits.signal?.throwIfAborted()
    const worker = this.#takeIdle() ?? this.#start()
    const answer = await worker.ask(request, limits)
    const { maxIdle, mustEnd } = this.#options
    if (mustEnd?.(answer) || this.#idle.size >= maxIdle) worker.end()
    else this.#keep(worker)
    return answer
  }

  /** Has one idle process for a request that will come soon. */
  prefork(): void {
    const [timer] = this.#idle.values()
    if (timer) timer.refresh()
    else this.#keep(this.#start())
  }

  #takeIdle(): WorkerProcess<Request, Answer> | undefined {
    const [worker] = this.#idle.keys()
    if (worker) this.#forget(worker)
    return worker
  }

  #keep(worker: WorkerProcess<Request, Answer>): void {
    const end = () => {
      this.#forget(worker)
      worker.end()
    }
    const timer = setTimeout(end, this.#options.idleMs)
    timer.unref()
    this.#idle.set(worker, timer)
    worker.rest(end)
  }

  #forget(worker: WorkerProcess<Request, Answer>): void {
    clearTimeout(this.#idle.get(worker))
    this.#idle.delete(worker)
  }
}
