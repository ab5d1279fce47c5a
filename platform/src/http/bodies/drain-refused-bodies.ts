import type { FastifyInstance } from 'fastify'
import { watchPace } from './receive-body.ts'

/** Limits of reading the body of a rejected request. */
const drainPace = { minBytesPerSecond: 1000, windowSeconds: 5, totalSeconds: 60 }

/**
 * Reads the rest of a request that got an early response. Browsers read the response only after they have sent the whole
 * body, and report a network error if the connection closes before.
 */
export function drainRefusedBodies(app: FastifyInstance): void {
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete || raw.destroyed) return
    raw.unpipe()
    raw.resume()
    const pace = watchPace(raw, drainPace, () => raw.destroy())
    for (const event of ['end', 'close']) raw.once(event, () => pace[Symbol.dispose]())
  })
}
