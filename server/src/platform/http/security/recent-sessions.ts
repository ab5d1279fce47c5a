import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { readSessionToken } from './session-cookie.ts'

const maxSessions = 10_000
const maxAgeMs = 1000

/**
 * Sessions that were valid within the last second. They get responses that all signed-in users share without a query;
 * all other requests are authenticated.
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

  /** Called when any session ends. */
  clear(): void {
    this.#tokens.clear()
  }
}
