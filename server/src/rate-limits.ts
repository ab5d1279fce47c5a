import type { Clock } from './platform/clock.ts'
import { FairSemaphore } from './platform/concurrency/fair-semaphore.ts'
import type { ProcessLocks } from './platform/db/process-locks.ts'
import { RateLimit } from './platform/http/limits/rate-limit.ts'
import { SharedRateLimit } from './platform/http/limits/shared-rate-limit.ts'
import { Slots } from './platform/http/limits/slots.ts'
import { SlowDown } from './platform/http/limits/slow-down.ts'
import type { SiteSecret } from './platform/site-secret.ts'

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
