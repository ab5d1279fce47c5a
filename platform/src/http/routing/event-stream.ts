import { Readable } from 'node:stream'
import type { EventsOf } from '@kinora/contract/endpoint.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { z } from 'zod'
import { holdOpen } from '../limits/overload.ts'

/** Interval of comments that keep proxies from closing the connection, and detect closed ones. */
const heartbeatMs = 15_000
/** Reconnection delay of browsers. */
const retryMs = 3000
/** Connections with more unread bytes are closed. The client reconnects and gets the current state. */
const maxUnreadBytes = 64 * 1024

/** An event as a stream sends it. */
export const encodeEvent = <Events extends EventsOf, Name extends string & keyof Events>(
  events: Events,
  name: Name,
  data: z.output<Events[Name]>,
): string => `event: ${name}\ndata: ${JSON.stringify(events[name]?.parse(data))}\n\n`

/** Server-sent events to one client, typed by the endpoint's `events`. */
export class EventStream<Events extends EventsOf = EventsOf> {
  /** Resolves when the stream has ended: the client disconnected, `end` was called, or the server stops. */
  readonly ended: Promise<void>
  readonly #events: Events
  readonly #reply: FastifyReply
  readonly #bytes = new Readable({ read() {} })
  #isStarted = false
  #isEnded = false

  constructor(events: Events, reply: FastifyReply) {
    this.#events = events
    this.#reply = reply
    this.ended = new Promise((resolve) => {
      this.#bytes.once('close', resolve)
      reply.raw.once('close', () => this.#bytes.destroy())
    })
    if (reply.raw.destroyed) this.#bytes.destroy()
  }

  /** Sends the response headers. Before that, a handler may still throw. Throws `unavailable` if too many streams are open. */
  start(): void {
    if (this.#bytes.destroyed) return
    holdOpen(this.#reply.raw)
    this.#isStarted = true
    this.#write(`retry: ${retryMs}\n\n`)
    const heartbeat = setInterval(() => this.#write(':\n\n'), heartbeatMs)
    heartbeat.unref()
    void this.ended.then(() => clearInterval(heartbeat))
    // turns response buffering off in nginx
    this.#reply.header('x-accel-buffering', 'no').type('text/event-stream').send(this.#bytes)
  }

  send<Name extends string & keyof Events>(name: Name, data: z.output<Events[Name]>): void {
    this.#write(encodeEvent(this.#events, name, data))
  }

  /** Sends the result of `encodeEvent`, which many streams share. */
  sendEncoded(text: string): void {
    if (text !== '') this.#write(text)
  }

  /** Ends the response. A stream that was not started leaves the response to the handler. */
  end(): void {
    if (!this.#isStarted) this.#bytes.destroy()
    else if (!this.#isEnded) this.#bytes.push(null)
    this.#isEnded = true
  }

  [Symbol.dispose](): void {
    this.end()
  }

  #write(text: string): void {
    if (this.#bytes.destroyed || this.#isEnded) return
    this.#bytes.push(text)
    if (this.#bytes.readableLength > maxUnreadBytes) this.#bytes.destroy()
  }
}

/** Returns a function that creates event streams. Open ones are ended when the app closes, because nothing else ends them. */
export function eventStreamsOf(app: FastifyInstance) {
  const open = new Set<EventStream>()
  app.addHook('preClose', async () => {
    for (const stream of open) stream.end()
  })
  return (events: EventsOf, reply: FastifyReply): EventStream => {
    const stream = new EventStream(events, reply)
    open.add(stream)
    void stream.ended.then(() => open.delete(stream))
    return stream
  }
}
