import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { readSessionToken } from './session-cookie.ts'

const maxSessions = 10_000
const maxAgeMs = 1000

/**
 * Sessions that were valid within the last second. Responses that all signed-in users share are sent to them without
 * another look into the database; everything else authenticates each request.
 */
export class RecentSessions {
  readonly #tokens = new LRUCache<string, true>({ max: maxSessions, ttl: maxAgeMs })

  has(request: FastifyRequest): boolean {
    const token = readSessionToken(request)
    return token !== undefined && this.#tokens.has(token)
  }

  add(request: FastifyRequest): void {
    const token = readSessionToken(request)
    if (token !== undefined) this.#tokens.set(token, true)
  }

  /** Forgets all: some session has ended. */
  clear(): void {
    this.#tokens.clear()
  }
}
