import type { Config } from './config.ts'
import type { Database, Db } from './database.ts'
import type { Metrics } from './metrics.ts'
import type { SpeechEngine } from '@kinora/media/speech/speech.ts'
import type { Clock } from '@kinora/platform/clock.ts'
import type { ProcessLocks } from '@kinora/platform/db/process-locks.ts'
import type { ReplicaRouter } from '@kinora/platform/db/replica-router.ts'
import type { PubSub } from '@kinora/platform/db/pubsub.ts'
import type { DiskSpace } from '@kinora/platform/files/disk-space.ts'
import type { TextResponse } from '@kinora/platform/http/delivery/text-response.ts'
import type { Jobs } from '@kinora/platform/jobs/jobs.ts'
import type { Mailer } from '@kinora/platform/mail/mailer.ts'
import type { PushSender } from '@kinora/platform/push/push-sender.ts'
import type { Log } from '@kinora/platform/log.ts'
import type { HealthChecks } from '@kinora/platform/readiness.ts'
import type { Limits } from './limits.ts'
import type { SiteSecret } from '@kinora/platform/site-secret.ts'
import type { SiteSettingsCache } from './site-settings.ts'
import type { Storage } from '@kinora/platform/storage/storage.ts'
import type { CacheTags, TaggedCache } from '@kinora/platform/tagged-cache.ts'

/** Recognizes speech, where the operator has installed an engine and models. */
export interface Speech {
  /** Names this machine among those of the site. */
  machine: string
  isInstalled(): Promise<boolean>
  /** Opens the engine, the same one while its models do not change. Throws where it is not installed. */
  open(): Promise<SpeechEngine>
}

/** Services of every process. A handler picks the ones it uses: `({ db, jobs }: Pick<Context, 'db' | 'jobs'>)`. */
export interface Context {
  config: Config
  db: Db
  /** Reads that do not depend on the viewer, from the replica where one is caught up. */
  reads: ReplicaRouter<Database>
  storage: Storage
  /** The disk of DATA_DIR. */
  disk: DiskSpace
  jobs: Jobs
  /** Notifications between all processes. */
  pubsub: PubSub
  /** Tells the caches of this process what a write has changed. Routes do it by their `clears`. */
  cacheTags: CacheTags
  /** Advisory locks that a process holds: how many processes may do something at once. */
  locks: ProcessLocks
  siteSettings: SiteSettingsCache
  clock: Clock
  /** Keyed hashes of values that must not be stored in clear. */
  secret: SiteSecret
  /** Undefined where no mail server is configured. */
  mailer: Mailer | undefined
  push: PushSender
  speech: Speech
  metrics: Metrics
  ready: HealthChecks
  log: Log
}

/** Services of web processes alone. */
export interface WebContext extends Context {
  /** Responses that are the same for several viewers. */
  responseCache: TaggedCache<TextResponse>
  limits: Limits
}
