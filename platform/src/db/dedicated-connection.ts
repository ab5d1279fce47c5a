import pLimit from 'p-limit'
import type { Client, QueryResult, QueryResultRow } from 'pg'
import { GuardedClient } from './guarded-client.ts'

/** How a server is noticed that no longer responds, although nothing has closed the connection. */
export interface SilenceLimits {
  /** Interval of statements that show whether the server responds. */
  heartbeatMs: number
  /** Time for connecting, and for every statement. */
  responseMs: number
}

const defaultLimits: SilenceLimits = { heartbeatMs: 10_000, responseMs: 5000 }

/** Time for the orderly end of a connection. */
const closeMs = 1000

interface Options {
  connectionString: string
  /** Prepares a new connection before it is used. */
  prepare?: (client: Client) => Promise<unknown>
  onError: (error: Error) => void
  /** Called when an open connection ends, also by `close`. */
  onEnd?: () => void
  limits?: SilenceLimits | undefined
}

/**
 * A connection outside the pool, opened by the first use and reopened by the first one after it was lost. It counts as lost,
 * and is closed, when the server does not respond in time.
 */
export class DedicatedConnection {
  readonly #options: Options
  readonly #limits: SilenceLimits
  /** A connection runs one statement at a time. */
  readonly #statements = pLimit(1)
  #client: Promise<Client> | undefined

  constructor(options: Options) {
    this.#options = options
    this.#limits = options.limits ?? defaultLimits
  }

  /** Throws if the connection cannot be opened. The next call tries again. */
  async open(): Promise<void> {
    await this.#get()
  }

  /** Opens the connection if it is not. Throws, for all waiting statements, when the connection is lost. */
  async query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<QueryResult<Row>> {
    return this.#run<Row>(await this.#get(), text, values)
  }

  /** Does nothing where the connection is not open. */
  async queryIfOpen(text: string, values: unknown[]): Promise<void> {
    const client = await this.#ifOpen()
    if (client) await this.#run(client, text, values)
  }

  async close(): Promise<void> {
    const client = await this.#ifOpen()
    if (client) await close(client)
  }

  #run<Row extends QueryResultRow>(client: Client, text: string, values: unknown[] = []) {
    return this.#statements(() => client.query<Row>(text, values))
  }

  #get(): Promise<Client> {
    this.#client ??= this.#open().catch((error: unknown) => {
      this.#client = undefined
      throw error
    })
    return this.#client
  }

  async #ifOpen(): Promise<Client | undefined> {
    // `onError` has reported a failed connection.
    return this.#client?.catch(() => undefined)
  }

  async #open(): Promise<Client> {
    const { connectionString, prepare, onError, onEnd } = this.#options
    const { heartbeatMs, responseMs } = this.#limits
    const client = new GuardedClient({
      connectionString,
      connectionTimeoutMillis: responseMs,
      query_timeout: responseMs,
    })
    client.on('error', onError)
    try {
      await client.connect()
      await prepare?.(client)
    } catch (error) {
      await close(client)
      throw error
    }
    // A statement that fails has closed the connection, which `onError` reports.
    const heartbeat = setInterval(
      () => void this.#run(client, 'select 1').catch(() => undefined),
      heartbeatMs,
    )
    heartbeat.unref()
    // Only from here on: the end of a failed attempt must not clear its successor.
    client.on('end', () => {
      clearInterval(heartbeat)
      this.#client = undefined
      onEnd?.()
    })
    return client
  }
}

/** Ends a connection in order, or by force where the server does not respond. */
async function close(client: Client): Promise<void> {
  const force = setTimeout(() => client.connection.stream.destroy(), closeMs)
  await client.end()
  clearTimeout(force)
}
