import { Readable } from 'node:stream'
import type { EventsOf } from '@kinora/contract/endpoint.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { z } from 'zod'

/** A comment this often keeps proxies from taking the connection for dead, and finds readers that are gone. */
const heartbeatMs = 15_000
/** After how long a browser asks anew when the connection is lost. */
const retryMs = 3000
/** A reader who leaves more than this unread is cut off; it reads the present state when it comes back. */
const maxUnreadBytes = 64 * 1024

/** Server-sent events on their way to one reader, by the names and schemas of the endpoint. */
export class EventStream<Events extends EventsOf = EventsOf> {
  /** Resolves when nobody reads any more: the reader is gone, `end` was called, or the server stops. */
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

  /** Answers the request; until then a handler may still refuse it. */
  start(): void {
    if (this.#bytes.destroyed) return
    this.#isStarted = true
    this.#write(`retry: ${retryMs}\n\n`)
    const heartbeat = setInterval(() => this.#write(':\n\n'), heartbeatMs)
    heartbeat.unref()
    void this.ended.then(() => clearInterval(heartbeat))
    // some proxies gather an answer before they pass it on, unless told otherwise
    this.#reply.header('x-accel-buffering', 'no').type('text/event-stream').send(this.#bytes)
  }

  send<Name extends string & keyof Events>(name: Name, data: z.output<Events[Name]>): void {
    this.#write(`event: ${name}\ndata: ${JSON.stringify(this.#events[name]?.parse(data))}\n\n`)
  }

  /** Ends the answer in order; one that was not begun yet is left to others. */
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

/** Makes the event streams of an app, and ends the open ones when it closes: nothing else would. */
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
