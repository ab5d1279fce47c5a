import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import { addressKey } from './address.ts'

/** Asked by whoever watches over the process: these say how it is, also when it is busy. */
const alwaysAnswered = new Set(['/healthz', '/readyz', '/metrics'])

/** What one address may have of all places: whoever sends or reads ever so slowly keeps nobody else out. */
const partOfOne = 1 / 4

/**
 * Answers at most so many requests at once. The rest is put off with 503 before anything is done for it: whoever is
 * being answered gets an answer, and the memory has an end.
 */
export function shedOverload(app: FastifyInstance, atOnce: number): void {
  const atOnceOfOne = Math.ceil(atOnce * partOfOne)
  const runningOf = new Map<string, number>()
  let running = 0
  app.addHook('onRequest', async (request, reply) => {
    const address = addressKey(request.ip)
    const own = runningOf.get(address) ?? 0
    if ((running >= atOnce || own >= atOnceOfOne) && !alwaysAnswered.has(request.url)) {
      throw new AppError('unavailable', 'Too many people are here at this moment, please try again', {
        retryAfterSeconds: 2,
      })
    }
    running += 1
    runningOf.set(address, own + 1)
    // however it ends: answered, failed, or given up by the visitor
    reply.raw.once('close', () => {
      running -= 1
      const left = (runningOf.get(address) ?? 1) - 1
      if (left === 0) runningOf.delete(address)
      else runningOf.set(address, left)
    })
  })
}
