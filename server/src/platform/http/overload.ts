import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

/** Asked by whoever watches over the process: these say how it is, also when it is busy. */
const alwaysAnswered = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Answers at most so many requests at once. The rest is put off with 503 before anything is done for it: whoever is
 * being answered gets an answer, and the memory has an end.
 */
export function shedOverload(app: FastifyInstance, atOnce: number): void {
  let running = 0
  app.addHook('onRequest', async (request, reply) => {
    if (running >= atOnce && !alwaysAnswered.has(request.url)) {
      throw new AppError('unavailable', 'Too many people are here at this moment, please try again', {
        retryAfterSeconds: 2,
      })
    }
    running += 1
    // however it ends: answered, failed, or given up by the visitor
    reply.raw.once('close', () => (running -= 1))
  })
}
