import { sql, type Kysely } from 'kysely'
import { describeError } from '../errors.ts'
import { type Log, logErrorsFolded } from '../log.ts'
import { DedicatedConnection, type SilenceLimits } from './dedicated-connection.ts'

const channel = 'kinora'
/** Processes of the version before publish on this channel during a rolling upgrade. */
const previousChannel = 'signals'
const reconnectMs = 1000

/** The type of the messages of a topic, and their text in a notification. */
export interface Topic<Message> {
  readonly name: string
  encode(message: Message): string
  /** Throws for a text that is no message of this version. Ignores fields that it does not know. */
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

interface Subscription {
  receive(text: string): void
  onMissed(): void
  /** Since the subscription was confirmed. */
  isActive: boolean
}

/**
 * Messages between processes through PostgreSQL LISTEN and NOTIFY. Messages are lost while the connection is, which
 * subscribers learn from `onMissed`. A connection that went silent is replaced within 20 s.
 *
 * Any program may send on the channel, also the version before or after this one. A message that cannot be read is logged
 * and dropped.
 */
export class PubSub {
  readonly #subscriptions = new Map<string, Set<Subscription>>()
  readonly #connection: DedicatedConnection
  readonly #logDropped: (error: unknown) => void
  #isClosed = false

  constructor(connectionString: string, log: Log, limits?: SilenceLimits) {
    this.#logDropped = logErrorsFolded(log, 'pubsub: message dropped')
    this.#connection = new DedicatedConnection({
      connectionString,
      limits,
      prepare: async (client) => {
        client.on('notification', ({ payload }) => this.#receive(payload ?? ''))
        await client.query(`listen ${channel}; listen ${previousChannel}`)
        this.#notifyMissed()
      },
      onError: (error) => log.warn({ err: error }, 'pubsub: connection lost'),
      onEnd: () => {
        if (!this.#isClosed && this.#subscriptions.size > 0) this.#reconnect()
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
   * Calls `listener` for each message published after this resolves, and `onMissed` when messages may have been lost.
   * Returns the function that unsubscribes. Throws while the database is unreachable.
   */
  async subscribe<Message>(
    topic: Topic<Message>,
    listener: (message: Message) => void,
    onMissed: () => void,
  ): Promise<() => void> {
    const { name } = topic
    const receive = (text: string) => listener(topic.decode(text))
    const subscription = { receive, onMissed, isActive: false }
    const subscriptions = this.#subscriptions.get(name) ?? new Set()
    this.#subscriptions.set(name, subscriptions.add(subscription))
    const unsubscribe = () => {
      subscriptions.delete(subscription)
      if (subscriptions.size === 0 && this.#subscriptions.get(name) === subscriptions)
        this.#subscriptions.delete(name)
    }
    try {
      await this.#connection.open()
      subscription.isActive = true
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
      this.#connection.open().catch(() => this.#reconnect())
    }, reconnectMs).unref()
  }

  #notifyMissed(): void {
    for (const subscriptions of this.#subscriptions.values())
      for (const { isActive, onMissed } of subscriptions) if (isActive) onMissed()
  }

  /** Never throws: an exception in the listener of a connection would end the process. */
  #receive(payload: string): void {
    try {
      const [topic, text] = parsePayload(payload)
      for (const { receive } of this.#subscriptions.get(topic) ?? [])
        this.#deliver(topic, () => receive(text))
    } catch (error) {
      this.#logDropped(error)
    }
  }

  /** A subscriber that fails does not keep the message from the others. */
  #deliver(topic: string, receive: () => void): void {
    try {
      receive()
    } catch (error) {
      // Without the id, which is the second part of many topics: equal reasons are logged once a minute.
      this.#logDropped(new Error(`${topic.split('/')[0]}: ${describeError(error)}`))
    }
  }
}

/** Topic and text of a notification; later versions may append more. */
function parsePayload(payload: string): [topic: string, text: string] {
  let parsed: unknown
  try {
    parsed = JSON.parse(payload)
  } catch {
    // The message of JSON.parse quotes the payload, so that no two would be equal.
    throw new Error('the payload is not JSON')
  }
  const [topic, text]: unknown[] = Array.isArray(parsed) ? parsed : []
  if (typeof topic !== 'string' || typeof text !== 'string')
    throw new Error('the payload has no topic and text')
  return [topic, text]
}
