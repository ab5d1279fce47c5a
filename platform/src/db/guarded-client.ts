import { Client, type ClientConfig } from 'pg'
import { codeOf, describeError } from '../errors.ts'
import { DatabaseClient } from './database-client.ts'
import { isConnectionLost } from './errors/connection-lost.ts'
import { sqlstate } from './errors/sqlstate.ts'

/** Pauses between the attempts of the prober: they double from the first to the longest. */
const firstProbeMs = 100
const longestProbeMs = 2000
/** A server that does not respond to the prober within this time is still away. */
const probeTimeoutMs = 5000

/** A connection was not attempted, because the server was away a moment ago. The cause is the error of the last attempt. */
class DatabaseAwayError extends Error {
  constructor(cause: Error) {
    super(`The database is away: ${describeError(cause)}`, { cause })
  }
}

/**
 * Circuit breaker of a database server. After one failed attempt, all clients of this process fail without an attempt of
 * their own, until the prober has reached the server: a server that starts or recovers is not flooded.
 */
class Breaker {
  /** The error of the last attempt; undefined while connections are attempted. */
  #error: Error | undefined
  #pauseMs = firstProbeMs

  /** Throws if the server is away. */
  assertClosed(): void {
    if (this.#error) throw new DatabaseAwayError(this.#error)
  }

  close(): void {
    this.#error = undefined
    this.#pauseMs = firstProbeMs
  }

  open(error: Error, config: ClientConfig): void {
    const isProbing = this.#error !== undefined
    this.#error = error
    if (!isProbing) this.#probeLater(config)
  }

  #probeLater(config: ClientConfig): void {
    setTimeout(() => void this.#probe(config), this.#pauseMs).unref()
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestProbeMs)
  }

  async #probe(config: ClientConfig): Promise<void> {
    // an attempt that had begun earlier succeeded
    if (this.#error === undefined) return
    const client = new Client({ ...config, connectionTimeoutMillis: probeTimeoutMs })
    client.on('error', () => undefined)
    const connected = client.connect()
    // a process may end meanwhile; the type of pg lacks the method
    ;(client as Client & { unref(): void }).unref()
    try {
      await connected
      this.close()
    } catch (error) {
      if (error instanceof Error && meansAway(error)) {
        this.#error = error
        this.#probeLater(config)
      } else this.close()
    }
    await client.end().catch(() => undefined)
  }
}

/** A server without a free connection is there, and the connections that are open still serve. */
function meansAway(error: Error): boolean {
  return isConnectionLost(error) && codeOf(error) !== sqlstate.tooManyConnections
}

/** Of this process, by host and port. */
const breakers = new Map<string, Breaker>()

/** A client of PostgreSQL that does not attempt to connect while the server is known to be away. */
export class GuardedClient extends DatabaseClient {
  readonly #config: ClientConfig

  constructor(config: ClientConfig = {}) {
    super(config)
    this.#config = config
  }

  override connect(): Promise<Client>
  override connect(callback: (error: Error | null, client: Client) => void): void
  override connect(callback?: (error: Error | null, client: Client) => void): Promise<Client> | void {
    const connecting = this.#connect()
    if (!callback) return connecting
    const settle = callback
    connecting.then(
      () => settle(null, this),
      (error: Error) => settle(error, this),
    )
  }

  async #connect(): Promise<Client> {
    const address = `${this.host}:${this.port}`
    const breaker = breakers.get(address) ?? new Breaker()
    breakers.set(address, breaker)
    breaker.assertClosed()
    try {
      await super.connect()
    } catch (error) {
      if (error instanceof Error && meansAway(error)) breaker.open(error, this.#config)
      throw error
    }
    breaker.close()
    return this
  }
}
