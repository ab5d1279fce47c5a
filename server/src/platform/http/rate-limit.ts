import { apiPrefix, type Endpoint } from '@kinora/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import type { ProcessLocks } from '../db/process-locks.ts'
import { AppError } from '../errors.ts'
import { SharedRateLimit } from './shared-rate-limit.ts'
import { Slots } from './slots.ts'

interface Window {
  startedAt: number
  taken: number
}

/** So many keys are remembered, the least recently used forgotten first: an attacker cannot fill the memory. */
const maxKeys = 100_000

/**
 * So many per window and key, counted in the memory of this process: with N web processes up to N times as many
 * come through. A window starts with the first one taken.
 */
export class RateLimit {
  readonly #limit: number
  readonly #windowMs: number
  readonly #clock: Clock
  readonly #windows = new LRUCache<string, Window>({ max: maxKeys })

  constructor(limit: number, windowSeconds: number, clock: Clock) {
    this.#limit = limit
    this.#windowMs = windowSeconds * 1000
    this.#clock = clock
  }

  /** Takes one. Answers 0, or the seconds to wait when there is none left. */
  take(key: string): number {
    const now = this.#clock.now().getTime()
    const window = this.#windows.get(key)
    if (!window || now - window.startedAt >= this.#windowMs) {
      this.#windows.set(key, { startedAt: now, taken: 1 })
      return 0
    }
    if (window.taken >= this.#limit) return (window.startedAt + this.#windowMs - now) / 1000
    window.taken += 1
    return 0
  }

  /** Takes one. Throws `too_many_requests` when there is none left. */
  demand(key: string): void {
    const retryAfterSeconds = this.take(key)
    if (retryAfterSeconds > 0) {
      throw new AppError('too_many_requests', 'Too many attempts, please try again later', {
        retryAfterSeconds,
      })
    }
  }
}

/** The rate limits of the site; features take from them. */
export interface RateLimits {
  /** Failed logins, by account and address: a success gives the attempts back. Never by account alone, or anybody could lock its owner out. */
  logins: SharedRateLimit
  /** Failed logins to whatever account, by address: who tries one password on many accounts. */
  loginsOfAddress: SharedRateLimit
  /** Registrations, by address. */
  registrations: SharedRateLimit
  /** Calls of the API, by address. */
  requests: RateLimit
  /** Views that count, by address; more are absorbed silently. */
  views: RateLimit
  /** Uploads on their way, by user. */
  uploads: Slots
  /** Open event streams, by user. */
  eventStreams: Slots
}

export function createRateLimits(
  config: {
    loginsPerMinute: number
    loginsPerAddressPerMinute: number
    registrationsPerHour: number
    requestsPerMinute: number
    viewsPerMinute: number
    uploadsPerUser: number
    eventStreamsPerUser: number
  },
  clock: Clock,
  locks: ProcessLocks,
): RateLimits {
  return {
    logins: new SharedRateLimit('logins', config.loginsPerMinute, 60, clock),
    loginsOfAddress: new SharedRateLimit('logins_of_address', config.loginsPerAddressPerMinute, 60, clock),
    registrations: new SharedRateLimit('registrations', config.registrationsPerHour, 3600, clock),
    requests: new RateLimit(config.requestsPerMinute, 60, clock),
    views: new RateLimit(config.viewsPerMinute, 60, clock),
    uploads: new Slots(
      'uploads',
      config.uploadsPerUser,
      `At most ${config.uploadsPerUser} uploads at once, please wait for one to end`,
      locks,
    ),
    eventStreams: new Slots(
      'event_streams',
      config.eventStreamsPerUser,
      'Too many event streams are open already',
      locks,
    ),
  }
}

/**
 * Takes one of `limit` for every call of the API, but for the calls of `exempt`, which see to it themselves.
 */
export function limitRequests(
  app: FastifyInstance,
  limit: RateLimit,
  exempt: Pick<Endpoint, 'method' | 'path'>,
): void {
  app.addHook('onRequest', async (request) => {
    const isExempt = request.method === exempt.method && request.routeOptions.url === apiPrefix + exempt.path
    if (request.url.startsWith(`${apiPrefix}/`) && !isExempt) limit.demand(addressKey(request.ip))
  })
}

/** What counts as one address: an IPv6 host owns its whole /64. */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail = ''] = ip.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const groups = ip.includes('::') ? [...before, ...zeros, ...after] : before
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
