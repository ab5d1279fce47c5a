import { Client } from 'pg'

interface Options {
  connectionString: string
  /** Readies a new connection; it counts as open only after that. */
  prepare?: (client: Client) => Promise<unknown>
  onError: (error: Error) => void
  /** A connection that was open ended, by itself or by `close`. */
  onEnd?: () => void
}

/** A connection beside the pool: opened when it is first wanted, and anew when it is wanted after it was lost. */
export class OwnConnection {
  readonly #options: Options
  #client: Promise<Client> | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Throws when it cannot be opened; the next call tries again. */
  get(): Promise<Client> {
    this.#client ??= this.#open().catch((error: unknown) => {
      this.#client = undefined
      throw error
    })
    return this.#client
  }

  /** The connection if there is one; undefined where it never was or was lost. */
  async ifOpen(): Promise<Client | undefined> {
    return this.#client?.catch(() => undefined)
  }

  async close(): Promise<void> {
    const client = await this.ifOpen()
    await client?.end()
  }

  async #open(): Promise<Client> {
    const { connectionString, prepare, onError, onEnd } = this.#options
    const client = new Client({ connectionString, keepAlive: true })
    client.on('error', onError)
    try {
      await client.connect()
      await prepare?.(client)
    } catch (error) {
      await client.end()
      throw error
    }
    // only from here on: one that did not open must not take away the one that is opened after it
    client.on('end', () => {
      this.#client = undefined
      onEnd?.()
    })
    return client
  }
}
