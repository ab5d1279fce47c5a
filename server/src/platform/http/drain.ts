import type { FastifyInstance } from 'fastify'

/** A refused sender may go on for this long before the connection is ended. */
const maxDrainMs = 60_000

/**
 * Reads on after an answer that came before the end of the request: browsers read the answer only once they have
 * sent everything, and see a broken connection if nobody listens to them until then.
 */
export function drainRefusedBodies(app: FastifyInstance): void {
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete || raw.destroyed) return
    raw.unpipe()
    raw.resume()
    const timer = setTimeout(() => raw.destroy(), maxDrainMs)
    timer.unref()
    raw.once('close', () => clearTimeout(timer))
  })
}
