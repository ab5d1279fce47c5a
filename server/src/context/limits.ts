import type { Config } from './config.ts'
import type { Clock } from '@kinora/platform/clock.ts'
import type { ProcessLocks } from '@kinora/platform/db/process-locks.ts'
import { RateLimit } from '@kinora/platform/http/limits/rate-limit.ts'
import { SharedRateLimit } from '@kinora/platform/http/limits/shared-rate-limit.ts'
import { type Refuse, Slots } from '@kinora/platform/http/limits/slots.ts'
import type { SiteSecret } from '@kinora/platform/site-secret.ts'

interface LimitServices {
  config: Config
  clock: Clock
  locks: ProcessLocks
  secret: SiteSecret
}

interface LimitFactory {
  config: Config
  /** A limit counted in the memory of this process, for frequent operations. */
  local: (limit: number, windowSeconds: number) => RateLimit
  /** A limit counted in the database for all processes, for rare and important operations. The name is part of the stored key. */
  shared: (name: string, limit: number, windowSeconds: number) => SharedRateLimit
  /** A limit of concurrent operations, for all processes. */
  slots: (name: string, limit: number, refuse: Refuse) => Slots
}

/** Declaration of limits, in the `limits.ts` of their feature. `http/limits.ts` lists them. */
interface LimitDefinition<Created> {
  create: (factory: LimitFactory) => Created
}

export const defineLimit = <Created>(
  create: (factory: LimitFactory) => Created,
): LimitDefinition<Created> => ({ create })

/** Creates limits outside a web process. */
export const createLimit = <Created>(
  { create }: LimitDefinition<Created>,
  { config, clock, locks, secret }: LimitServices,
): Created =>
  create({
    config,
    local: (limit, windowSeconds) => new RateLimit(limit, windowSeconds, clock),
    shared: (name, limit, windowSeconds) => new SharedRateLimit(name, limit, windowSeconds, clock, secret),
    slots: (name, limit, refuse) => new Slots(name, limit, refuse, locks),
  })

/** The limits of a web process: `limits.of(writeLimit).assertAllowed(user.id)`. */
export class Limits {
  readonly #created: ReadonlyMap<LimitDefinition<unknown>, unknown>

  constructor(definitions: readonly LimitDefinition<unknown>[], services: LimitServices) {
    this.#created = new Map(definitions.map((definition) => [definition, createLimit(definition, services)]))
  }

  of<Created>(definition: LimitDefinition<Created>): Created {
    if (!this.#created.has(definition)) throw new Error('These limits are not listed in http/limits.ts')
    // the definition is the key of what it created
    return this.#created.get(definition) as Created
  }
}

/** API calls per client address, and per account for those with API tokens. */
export const requestLimit = defineLimit(({ config, local }) => local(config.requestsPerMinute, 60))

/**
 * Writes per account: comments, likes, subscriptions, changes of playlists, reports and the like. Several domains take
 * from this one budget.
 */
export const writeLimit = defineLimit(({ config, local }) => local(config.writesPerMinute, 60))
