import { newAccountLimits } from '@kinora/contract/accounts/new-accounts.ts'
import type { Clock } from '@kinora/platform/clock.ts'
import { FairSemaphore } from '@kinora/platform/concurrency/fair-semaphore.ts'
import type { ProcessLocks } from '@kinora/platform/db/process-locks.ts'
import { RateLimit } from '@kinora/platform/http/limits/rate-limit.ts'
import { SharedRateLimit } from '@kinora/platform/http/limits/shared-rate-limit.ts'
import { Slots } from '@kinora/platform/http/limits/slots.ts'
import { SlowDown } from '@kinora/platform/http/limits/slow-down.ts'
import type { SiteSecret } from '@kinora/platform/site-secret.ts'

/** Limit of an IPv6 network, as a multiple of the limit per address. */
const addressesPerNetwork = 4

/** Limit of views per network and video, as a multiple of the limit per viewer. */
const viewersPerNetwork = 10

/** The rate limits of the site; features take from them. */
export interface RateLimits {
  /** Failed logins per account and address; a success resets it. Not per account alone, or anyone could lock the owner out. */
  logins: SharedRateLimit
  /** Failed logins per address to any account (password spraying). */
  loginsOfAddress: SharedRateLimit
  /** Successful logins per address; more are delayed, then rejected. */
  signIns: SlowDown
  /** The same per network: an IPv6 /48 has 65,536 addresses. */
  loginsOfNetwork: SharedRateLimit
  /** Failed logins per account from all addresses; more are delayed, not rejected. */
  loginsOfAccount: SharedRateLimit
  /** Concurrently delayed logins per account and network; otherwise a parallel attack would wait no longer than one login. */
  delayedLogins: Slots
  /** Registrations per address. */
  registrations: SharedRateLimit
  /** API calls per address. */
  requests: RateLimit
  /** Pages, feeds and other documents per address. */
  pages: RateLimit
  /** Media and static files per address. */
  files: RateLimit
  /** Counted views per address; more are ignored silently. */
  views: RateLimit
  /** Searches per address; cached responses do not count. */
  searches: RateLimit
  /** Suggestions while a search is typed, and summaries and moments of searches, per address; cached responses do not count. */
  suggestions: RateLimit
  /** Concurrent searches and suggestions per address and in total; more wait, so that database connections remain for other requests. */
  searchesAtOnce: FairSemaphore
  /** Pages of exported playlists per address. */
  exportsAtOnce: FairSemaphore
  /** Concurrent searches of moderators, which read every row: each holds a database connection for up to two minutes. */
  moderatorSearchesAtOnce: FairSemaphore
  /**
   * Concurrent sums over the videos of large channels: each holds a database connection for up to minutes. Dashboards, which
   * take a second, do not wait for analytics.
   */
  largeDashboardsAtOnce: FairSemaphore
  largeAnalyticsAtOnce: FairSemaphore
  /** Counted views per viewer and video. */
  viewsOfViewer: RateLimit
  /** Counted views per network and video, because a changed User-Agent counts as another viewer. */
  viewsOfNetwork: RateLimit
  /** Playback reports per address; more are ignored silently. */
  playbackReports: RateLimit
  /** Playback reports per network and video. */
  playbackReportsOfNetwork: RateLimit
  /** Comments, likes and subscriptions per account. */
  comments: RateLimit
  likes: RateLimit
  subscriptions: RateLimit
  /** Changes of playlists and their entries per account. */
  playlistChanges: RateLimit
  /** Reports to moderators per account. */
  reports: RateLimit
  /** Tests of webhooks per account. */
  webhookTests: RateLimit
  /** Comments and reports of a new account, where the site limits them. */
  newAccountComments: SharedRateLimit
  newAccountReports: SharedRateLimit
  /** Changes of the email address per account. */
  emailChanges: SharedRateLimit
  /** Archives per account. */
  accountExports: SharedRateLimit
  /** Imports per account. */
  accountImports: SharedRateLimit
  /** Imports of videos from addresses per account. */
  videoImports: SharedRateLimit
  /** Wrong codes of a second factor, per account and network. */
  secondFactors: SharedRateLimit
  /** Wrong codes of the authenticator app per account, or per account and address that it has logged in from. */
  secondFactorsOfAccount: SharedRateLimit
  /** Notifications of sign-ins with new devices, per account; more are omitted silently. */
  newDevices: SharedRateLimit
  /** Requests for a new password by mail, per account; more are ignored silently. */
  passwordResets: SharedRateLimit
  /** The same per client address. */
  passwordResetsOfAddress: SharedRateLimit
  /** Mails about registrations per email address; more are left out silently. */
  registrationMails: SharedRateLimit
  /** Requests for such a mail per client address. */
  registrationMailsOfAddress: SharedRateLimit
  /** Challenges of registrations per client address. */
  registrationChallenges: RateLimit
  /** Registrations per challenge. */
  registrationsOfChallenge: SharedRateLimit
  /** Concurrent uploads per user. */
  uploads: Slots
  /** Open event streams per user. */
  eventStreams: Slots
}

/** Limit of requests for a mail per address, as a multiple of the limit per account. */
const accountsPerAddress = 10

/** How long a challenge of a registration is valid, and remembered once it was used. */
export const registrationChallengeSeconds = 30 * 60

const daySeconds = 24 * 3600

const searchesAtOncePerAddress = 4
/** Limit of suggestions as a multiple of SEARCHES_PER_MINUTE: a typed search asks for several. */
const suggestionsPerSearch = 4

/** Limits of pages and files as multiples of REQUESTS_PER_MINUTE: a page costs less than a call, and has many files. */
const pagesPerRequest = 2
const filesPerRequest = 10

/** The limit of imports from feeds per account. It is a limit of its own, so that people can still begin imports themselves. */
export const createFeedImportLimit = (
  { videoImportsPerDay }: { videoImportsPerDay: number },
  clock: Clock,
  secret: SiteSecret,
) => new SharedRateLimit('feed_imports', videoImportsPerDay, daySeconds, clock, secret)

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
    playbackReportsPerMinute: number
    playbackReportsPerNetworkPerHour: number
    commentsPerMinute: number
    likesPerMinute: number
    subscriptionsPerMinute: number
    playlistChangesPerMinute: number
    emailChangesPerHour: number
    accountExportsPerDay: number
    accountImportsPerDay: number
    videoImportsPerDay: number
    reportsPerHour: number
    webhookTestsPerMinute: number
    secondFactorsPerMinute: number
    secondFactorsPerAccountPerHour: number
    newDevicesPerHour: number
    passwordResetsPerHour: number
    registrationMailsPerHour: number
    registrationChallengesPerMinute: number
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
    requests: new RateLimit(config.requestsPerMinute, 60, clock),
    pages: new RateLimit(config.requestsPerMinute * pagesPerRequest, 60, clock),
    files: new RateLimit(config.requestsPerMinute * filesPerRequest, 60, clock),
    views: new RateLimit(config.viewsPerMinute, 60, clock),
    searches: new RateLimit(config.searchesPerMinute, 60, clock),
    suggestions: new RateLimit(config.searchesPerMinute * suggestionsPerSearch, 60, clock),
    searchesAtOnce: new FairSemaphore({
      total: Math.max(1, Math.floor(config.databasePoolMax / 2)),
      perKey: searchesAtOncePerAddress,
    }),
    exportsAtOnce: new FairSemaphore({ total: 4, perKey: 1 }),
    moderatorSearchesAtOnce: new FairSemaphore({ total: 2, perKey: 1 }),
    largeDashboardsAtOnce: new FairSemaphore({ total: 1, perKey: 1 }),
    largeAnalyticsAtOnce: new FairSemaphore({ total: 1, perKey: 1 }),
    viewsOfViewer: new RateLimit(config.viewsPerViewerPerHour, 3600, clock),
    viewsOfNetwork: new RateLimit(config.viewsPerViewerPerHour * viewersPerNetwork, 3600, clock),
    playbackReports: new RateLimit(config.playbackReportsPerMinute, 60, clock),
    playbackReportsOfNetwork: new RateLimit(config.playbackReportsPerNetworkPerHour, 3600, clock),
    comments: new RateLimit(config.commentsPerMinute, 60, clock),
    likes: new RateLimit(config.likesPerMinute, 60, clock),
    subscriptions: new RateLimit(config.subscriptionsPerMinute, 60, clock),
    playlistChanges: new RateLimit(config.playlistChangesPerMinute, 60, clock),
    reports: new RateLimit(config.reportsPerHour, 3600, clock),
    webhookTests: new RateLimit(config.webhookTestsPerMinute, 60, clock),
    newAccountComments: shared('new_account_comments', newAccountLimits.comments, daySeconds),
    newAccountReports: shared('new_account_reports', newAccountLimits.reports, daySeconds),
    emailChanges: shared('email_changes', config.emailChangesPerHour, 3600),
    accountExports: shared('account_exports', config.accountExportsPerDay, daySeconds),
    accountImports: shared('account_imports', config.accountImportsPerDay, daySeconds),
    videoImports: shared('video_imports', config.videoImportsPerDay, daySeconds),
    secondFactors: shared('second_factors', config.secondFactorsPerMinute, 60),
    secondFactorsOfAccount: shared('second_factors_of_account', config.secondFactorsPerAccountPerHour, 3600),
    newDevices: shared('new_devices', config.newDevicesPerHour, 3600),
    passwordResets: shared('password_resets', config.passwordResetsPerHour, 3600),
    passwordResetsOfAddress: shared(
      'password_resets_of_address',
      config.passwordResetsPerHour * accountsPerAddress,
      3600,
    ),
    registrationMails: shared('registration_mails', config.registrationMailsPerHour, 3600),
    registrationMailsOfAddress: shared(
      'registration_mails_of_address',
      config.registrationMailsPerHour * accountsPerAddress,
      3600,
    ),
    registrationChallenges: new RateLimit(config.registrationChallengesPerMinute, 60, clock),
    registrationsOfChallenge: shared('registrations_of_challenge', 1, registrationChallengeSeconds),
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
