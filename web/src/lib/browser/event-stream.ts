/** Rejected streams are reopened after this time, then after twice as long each time. */
const FIRST_RETRY_MS = 5000
const LAST_RETRY_MS = 300_000

export interface StreamListener {
  /** Runs when the stream is open. Events before that are not received. `isShared`: it was open already. */
  onOpen?: (isShared: boolean) => void
  /** Handlers of the data of events, by their name. */
  on: Record<string, (data: string) => void>
}

const streams = new Map<string, SharedStream>()

/**
 * Listens to server-sent events until the returned function is called. Listeners to one URL share one connection, because
 * HTTP/1.1 browsers allow six per site.
 */
export function listenToEvents(url: string, listener: StreamListener): () => void {
  const stream = streams.get(url) ?? new SharedStream(url)
  streams.set(url, stream)
  stream.add(listener)
  return () => {
    if (stream.remove(listener) && streams.get(url) === stream) streams.delete(url)
  }
}

class SharedStream {
  readonly #url: string
  readonly #listeners = new Set<StreamListener>()
  #source: EventSource | undefined
  #names = new Set<string>()
  #retryMs = FIRST_RETRY_MS
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(url: string) {
    this.#url = url
  }

  add(listener: StreamListener): void {
    this.#listeners.add(listener)
    if (this.#source) this.#subscribe(Object.keys(listener.on))
    else if (this.#timer === undefined) this.#connect()
    if (this.#source?.readyState === EventSource.OPEN) listener.onOpen?.(true)
  }

  /** Returns whether nobody listens any more; then the stream is closed. */
  remove(listener: StreamListener): boolean {
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0) return false
    clearTimeout(this.#timer)
    this.#source?.close()
    return true
  }

  #connect(): void {
    const source = new EventSource(this.#url)
    this.#source = source
    this.#names = new Set()
    source.addEventListener('open', () => {
      this.#retryMs = FIRST_RETRY_MS
      for (const { onOpen } of this.#listeners) onOpen?.(false)
    })
    source.addEventListener('error', () => {
      // The browser reconnects after a lost connection, but not after a response other than 200.
      if (source.readyState !== EventSource.CLOSED) return
      this.#source = undefined
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        this.#connect()
      }, this.#retryMs)
      this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS)
    })
    this.#subscribe([...this.#listeners].flatMap(({ on }) => Object.keys(on)))
  }

  /** Subscribes to the events of these names. */
  #subscribe(names: readonly string[]): void {
    for (const name of names) {
      if (this.#names.has(name)) continue
      this.#names.add(name)
      this.#source?.addEventListener(name, ({ data }: MessageEvent<string>) => {
        for (const { on } of this.#listeners) on[name]?.(data)
      })
    }
  }
}
