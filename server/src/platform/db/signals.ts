import { sql, type Kysely } from 'kysely'
import type { Log } from '../log.ts'
import { OwnConnection } from './own-connection.ts'

const channel = 'signals'
const reconnectMs = 1000

/** For a statement that tells, by the way, what it has changed; `topic` and `message` may be of its own rows. */
export const tell = (topic: unknown, message: unknown) =>
  sql`pg_notify(${channel}, json_build_array(${topic}::text, ${message}::text)::text)`

/**
 * Short messages from process to process through PostgreSQL. They are hints, not facts: while the connection is lost
 * some go missing, so whoever waits for one also looks for himself now and then.
 */
export class Signals {
  readonly #listeners = new Map<string, Set<(message: string) => void>>()
  readonly #connection: OwnConnection
  #isClosed = false

  constructor(connectionString: string, log: Log) {
    this.#connection = new OwnConnection({
      connectionString,
      prepare: (client) => {
        client.on('notification', ({ payload }) => this.#receive(payload ?? ''))
        return client.query(`listen ${channel}`)
      },
      onError: (error) => log.warn({ err: error }, 'signal connection lost'),
      onEnd: () => {
        if (!this.#isClosed && this.#listeners.size > 0) this.#reconnect()
      },
    })
  }

  /** Tells everybody who listens to the topic, in all processes; within a transaction, once it commits. */
  async send<Database>(db: Kysely<Database>, topic: string, message = ''): Promise<void> {
    await sql`select ${tell(topic, message)}`.execute(db)
  }

  /**
   * Hears messages of a topic until the function it answers is called. Messages sent after this resolved are heard.
   * Throws while the database is away.
   */
  async listen(topic: string, listener: (message: string) => void): Promise<() => void> {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(listener))
    const unlisten = () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic)
    }
    try {
      await this.#connection.get()
    } catch (error) {
      unlisten()
      throw error
    }
    return unlisten
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
