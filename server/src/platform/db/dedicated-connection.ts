import type { Client } from 'pg'
import { GuardedClient } from './guarded-client.ts'

interface Options {
  connectionString: string
  /** Prepares a new connection before `get` returns it. */
  prepare?: (client: Client) => Promise<unknown>
  onError: (error: Error) => void
  /** Called when an open connection ends, also by `close`. */
  onEnd?: () => void
}

/** A connection outside the pool, opened by the first `get` and reopened by the first one after it was lost. */
export class DedicatedConnection {
  readonly #options: Options
  #client: Promise<Client> | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Throws if the connection cannot be opened. The next call tries again. */
  get(): Promise<Client> {
    this.#client ??= this.#open().catch((error: unknown) => {
      this.#client = undefined
      throw error
    })
    return this.#client
  }

  async ifOpen(): Promise<Client | undefined> {
    // `onError` has reported a failed connection.
    return this.#client?.catch(() => undefined)
  }

  async close(): Promise<void> {
    const client = await this.ifOpen()
    await client?.end()
  }

  async #open(): Promise<Client> {
    const { connectionString, prepare, onError, onEnd } = this.#options
    const client = new GuardedClient({ connectionString, keepAlive: true })
    client.on('error', onError)
    try {
      await client.connect()
      await prepare?.(client)
    } catch (error) {
      await client.end()
      throw error
    }
    // Only from here on: the end of a failed attempt must not clear its successor.
    client.on('end', () => {
      this.#client = undefined
      onEnd?.()
    })
    return client
  }
}
