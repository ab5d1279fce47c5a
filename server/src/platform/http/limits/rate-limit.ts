import { apiPrefix, type Endpoint } from '@kinora/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import type { ProcessLocks } from '../../db/process-locks.ts'
import { AppError } from '../../errors.ts'
import { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { addressKey } from './client-address.ts'
import type { SiteSecret } from '../../site-secret.ts'
import { SharedRateLimit } from './shared-rate-limit.ts'
import { SlowDown } from './slow-down.ts'
import { Slots } from './slots.ts'

interface Count {
  /** In the present window, as far as known here. */
  taken: number
  /** What other processes have not been told of. */
  untold: number
}

/** So many keys are remembered, the least recently used forgotten first: an attacker cannot fill the memory. */
const maxKeys = 100_000
/** What one process may keep to itself of a key, as a part of the limit: who takes less matters to nobody. */
const untoldPart = 1 / 100
/** So many keys fit into one message between processes; the next one brings the others. */
const maxKeysAtOnce = 200

/**
 * So many per window and key, counted in memory. Processes tell each other what they let through (`tell`, `hear`), so that
 * together they let through the limit and what comes until they have heard of each other. Windows begin at the same moment
 * everywhere, by the clock.
 */
export class RateLimit {
  readonly name: string
  readonly #limit: number
  readonly #windowMs: number
  readonly #clock: Clock
  readonly #tellFrom: number
  readonly #counts = new LRUCache<string, Count>({ max: maxKeys })
  /** Of which the others are to hear. */
  readonly #news = new Map<string, Count>()
  /** The number of the window that is counted. */
  #window = 0

  constructor(name: string, limit: number, windowSeconds: number, clock: Clock) {
    this.name = name
    this.#limit = limit
    this.#windowMs = windowSeconds * 1000
    this.#clock = clock
    this.#tellFrom = Math.max(1, Math.floor(limit * untoldPart))
  }

  /** Takes one. Answers 0, or the seconds to wait when there is none left. */
  take(key: string): number {
    const now = this.#clock.now().getTime()
    const count = this.#countOf(key, now)
    if (count.taken >= this.#limit) return (this.#windowMs - (now % this.#windowMs)) / 1000
    count.taken += 1
    count.untold += 1
    if (count.untold === this.#tellFrom) this.#news.set(key, count)
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

  /** Sends others what was taken here of those who take much; what could not be sent is told the next time. */
  async tell(send: (news: string) => Promise<void>): Promise<void> {
    this.#turnTo(this.#clock.now().getTime())
    const news = [...this.#news]
      .slice(0, maxKeysAtOnce)
      .map(([key, count]) => ({ key, count, taken: count.untold }))
    if (news.length === 0) return
    await send([this.#window, ...news.map(({ key, taken }) => `${key}=${taken}`)].join(' '))
    for (const { key, count, taken } of news) {
      count.untold -= taken
      if (count.untold < this.#tellFrom && this.#news.get(key) === count) this.#news.delete(key)
    }
  }

  /** Counts what another process has sent. */
  hear(news: string): void {
    const now = this.#clock.now().getTime()
    const [window, ...counts] = news.split(' ')
    if (Number(window) !== this.#windowAt(now)) return
    for (const [key = '', taken] of counts.map((count) => count.split('='))) {
      this.#countOf(key, now).taken += Number(taken)
    }
  }

  #countOf(key: string, now: number): Count {
    this.#turnTo(now)
    const known = this.#counts.get(key)
    if (known) return known
    const count = { taken: 0, untold: 0 }
    this.#counts.set(key, count)
    return count
  }

  #windowAt(now: number): number {
    return Math.floor(now / this.#windowMs)
  }

  #turnTo(now: number): void {
    const window = this.#windowAt(now)
    if (window === this.#window) return
    this.#window = window
    this.#counts.clear()
    this.#news.clear()
  }
}

/** How many addresses' worth of a limit one IPv6 network has. */
const addressesPerNetwork = 4

/** How many viewers' worth of the views of one video one network has. */
const viewersPerNetwork = 10

/** The rate limits of the site; features take from them. */
export interface RateLimits {
  /** Failed logins, by account and address: a success gives the attempts back. Never by account alone, or anybody could lock its owner out. */
  logins: SharedRateLimit
  /** Failed logins to whatever account, by address: who tries one password on many accounts. */
  loginsOfAddress: SharedRateLimit
  /** Successful sign-ins, by address; more are slowed before they are refused. */
  signIns: SlowDown
  /** The same by network: whoever has a whole IPv6 /48 has 65,536 addresses. */
  loginsOfNetwork: SharedRateLimit
  /** Failed logins of an account from everywhere; those beyond it are delayed, not refused. */
  loginsOfAccount: SharedRateLimit
  /** Logins that are being delayed, by account and network: otherwise many at once would wait as long as one. */
  delayedLogins: Slots
  /** Registrations, by address. */
  registrations: SharedRateLimit
  /** Calls of the API, by address. */
  requests: RateLimit
  /** Pages, feeds and other documents, by address. */
  pages: RateLimit
  /** Media and the files of the pages, by address. */
  files: RateLimit
  /** Views that count, by address; more are absorbed silently. */
  views: RateLimit
  /** Searches that are not answered from memory, by address. */
  searches: RateLimit
  /** The same, running at the same time: the rest of an address waits, and all together leave connections to others. */
  searchesAtOnce: FairSemaphore
  /** The same by viewer and video. */
  viewsOfViewer: RateLimit
  /** The same by network and video: whoever changes the name of their browser is one viewer more. */
  viewsOfNetwork: RateLimit
  /** Comments added, likes and subscriptions toggled, by account. */
  comments: RateLimit
  likes: RateLimit
  subscriptions: RateLimit
  /** Changes of the email address, by account. */
  emailChanges: SharedRateLimit
  /** Uploads on their way, by user. */
  uploads: Slots
  /** Open event streams, by user. */
  eventStreams: Slots
}

const searchesAtOncePerAddress = 4

/** Limits of pages and files as multiples of REQUESTS_PER_MINUTE: a page costs less than a call, and has many files. */
const pagesPerRequest = 2
const filesPerRequest = 10

export function createRateLimits(
  config: {
    loginsPerMinute: number
    loginsPerAddressPerMinute: number
    loginsPerAccountPerHour: number
    registrationsPerHour: number
    requestsPerMinute: number
    viewsPerMinute: number
    searchesPerMinute: number
    databasePoolMax: number
    viewsPerViewerPerHour: number
    commentsPerMinute: number
    likesPerMinute: number
    subscriptionsPerMinute: number
    emailChangesPerHour: number
    uploadsPerUser: number
    eventStreamsPerUser: number
  },
  clock: Clock,
  locks: ProcessLocks,
  secret: SiteSecret,
): RateLimits {
  const shared = (name: string, limit: number, windowSeconds: number) =>
    new SharedRateLimit(name, limit, windowSeconds, clock, secret)
  return {
    logins: shared('logins', config.loginsPerMinute, 60),
    loginsOfAddress: shared('logins_of_address', config.loginsPerAddressPerMinute, 60),
    loginsOfNetwork: shared('logins_of_network', config.loginsPerAddressPerMinute * addressesPerNetwork, 60),
    loginsOfAccount: shared('logins_of_account', config.loginsPerAccountPerHour, 3600),
    delayedLogins: new Slots('delayed_logins', 1, 'Too many attempts, please try again later', locks),
    signIns: new SlowDown({ perMinute: 120, maxWaitMs: 30_000 }),
    registrations: shared('registrations', config.registrationsPerHour, 3600),
    requests: new RateLimit('requests', config.requestsPerMinute, 60, clock),
    pages: new RateLimit('pages', config.requestsPerMinute * pagesPerRequest, 60, clock),
    files: new RateLimit('files', config.requestsPerMinute * filesPerRequest, 60, clock),
    views: new RateLimit('views', config.viewsPerMinute, 60, clock),
    searches: new RateLimit('searches', config.searchesPerMinute, 60, clock),
    searchesAtOnce: new FairSemaphore({
      total: Math.max(1, Math.floor(config.databasePoolMax / 2)),
      perKey: searchesAtOncePerAddress,
    }),
    viewsOfViewer: new RateLimit('views_of_viewer', config.viewsPerViewerPerHour, 3600, clock),
    viewsOfNetwork: new RateLimit(
      'views_of_network',
      config.viewsPerViewerPerHour * viewersPerNetwork,
      3600,
      clock,
    ),
    comments: new RateLimit('comments', config.commentsPerMinute, 60, clock),
    likes: new RateLimit('likes', config.likesPerMinute, 60, clock),
    subscriptions: new RateLimit('subscriptions', config.subscriptionsPerMinute, 60, clock),
    emailChanges: shared('email_changes', config.emailChangesPerHour, 3600),
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

/** Requests of load balancers and of monitoring, which have no limit. */
const probes = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Counts every request by its address: calls of the API but for those of `exempt`, which have their own limit, pages, and
 * files. Requests above a limit are refused with 429 and Retry-After.
 */
export function limitRequests(
  app: FastifyInstance,
  limits: Pick<RateLimits, 'requests' | 'pages' | 'files'>,
  exempt: Pick<Endpoint, 'method' | 'path'>,
): void {
  app.addHook('onRequest', async (request) => {
    const { url, method, routeOptions } = request
    const isExempt = method === exempt.method && routeOptions.url === apiPrefix + exempt.path
    if (isExempt || probes.has(routeOptions.url ?? '')) return
    limits[kindOf(url)].demand(addressKey(request.ip))
  })
}

function kindOf(url: string): 'requests' | 'pages' | 'files' {
  if (url.startsWith(`${apiPrefix}/`)) return 'requests'
  return url.startsWith('/media/') || url.startsWith('/assets/') ? 'files' : 'pages'
}
