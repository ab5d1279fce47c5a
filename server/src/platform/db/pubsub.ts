import { sql, type Kysely } from 'kysely'
import type { Log } from '../log.ts'
import { DedicatedConnection } from './dedicated-connection.ts'

const channel = 'signals'
const reconnectMs = 1000

/** Publishes from within a statement; `topic` and `message` may be expressions over its rows. */
export const notify = (topic: unknown, message: unknown) =>
  sql`pg_notify(${channel}, json_build_array(${topic}::text, ${message}::text)::text)`

/**
 * Messages between processes through PostgreSQL LISTEN and NOTIFY. Messages are lost while the connection is, so
 * subscribers that wait for one also poll.
 */
export class PubSub {
  readonly #listeners = new Map<string, Set<(message: string) => void>>()
  readonly #connection: DedicatedConnection
  #isClosed = false

  constructor(connectionString: string, log: Log) {
    this.#connection = new DedicatedConnection({
      connectionString,
      prepare: (client) => {
        client.on('notification', ({ payload }) => this.#receive(payload ?? ''))
        return client.query(`listen ${channel}`)
      },
      onError: (error) => log.warn({ err: error }, 'pubsub: connection lost'),
      onEnd: () => {
        if (!this.#isClosed && this.#listeners.size > 0) this.#reconnect()
      },
    })
  }

  /** Sends to the subscribers of a topic in all processes. Within a transaction it is sent on commit. */
  async publish<Database>(db: Kysely<Database>, topic: string, message = ''): Promise<void> {
    await sql`select ${notify(topic, message)}`.execute(db)
  }

  /**
   * Calls `listener` for each message published after this resolves. Returns the function that unsubscribes. Throws
   * while the database is unreachable.
   */
  async subscribe(topic: string, listener: (message: string) => void): Promise<() => void> {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(listener))
    const unsubscribe = () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic)
    }
    try {
      await this.#connection.get()
    } catch (error) {
      unsubscribe()
      throw error
    }
    return unsubscribe
  }

  close(): Promise<void> {
    this.#isClosed = true
    return this.#connection.close()
  }

  #reconnect(): void {
    setTimeout(() => {
      if (this.#isClosed) return
      this.#connection.get().catch(() => this.#reconnect())
    }, reconnectMs).unref()
  }

  #receive(payload: string): void {
    const [topic, message] = JSON.parse(payload) as [string, string]
    for (const listener of this.#listeners.get(topic) ?? []) listener(message)
  }
}
