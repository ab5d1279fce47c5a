import type { FastifyInstance } from 'fastify'
import { watchPace } from './receive-body.ts'

/** How long a refused sender may go on before the connection is closed. */
const drainPace = { minBytesPerSecond: 1000, windowSeconds: 5, totalSeconds: 60 }

/**
 * Reads on after an answer that came before the end of the request: browsers read the answer only once they have
 * sent everything, and see a broken connection if nobody listens to them until then.
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
