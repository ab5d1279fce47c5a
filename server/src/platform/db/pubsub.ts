import { sql, type Kysely } from 'kysely'
import type { Log } from '../log.ts'
import { DedicatedConnection } from './dedicated-connection.ts'

// Triggers and processes of the previous version publish on this channel.
const channel = 'signals'
const reconnectMs = 1000

/** The type of the messages of a topic, and their text in a notification. */
export interface Topic<Message> {
  readonly name: string
  encode(message: Message): string
  decode(text: string): Message
}

/** A topic whose messages are any text. */
export const textTopic = (name: string): Topic<string> => ({
  name,
  encode: (message) => message,
  decode: (text) => text,
})

/** Publishes from within a statement: the name of a topic and an encoded message, also as expressions over its rows. */
export const notify = (topicName: unknown, message: unknown) =>
  sql`pg_notify(${channel}, json_build_array(${topicName}::text, ${message}::text)::text)`

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
  async publish<Database, Message>(
    db: Kysely<Database>,
    topic: Topic<Message>,
    message: Message,
  ): Promise<void> {
    await sql`select ${notify(topic.name, topic.encode(message))}`.execute(db)
  }

  /**
   * Calls `listener` for each message published after this resolves. Returns the function that unsubscribes. Throws
   * while the database is unreachable.
   */
  async subscribe<Message>(topic: Topic<Message>, listener: (message: Message) => void): Promise<() => void> {
    const { name } = topic
    const receive = (text: string) => listener(topic.decode(text))
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(receive))
    const unsubscribe = () => {
      listeners.delete(receive)
      if (listeners.size === 0 && this.#listeners.get(name) === listeners) this.#listeners.delete(name)
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
      // `onError` logs the reason.
      this.#connection.get().catch(() => this.#reconnect())
    }, reconnectMs).unref()
  }

  #receive(payload: string): void {
    const [topic, message] = JSON.parse(payload) as [string, string]
    for (const listener of this.#listeners.get(topic) ?? []) listener(message)
  }
}
