import { errors } from '@kinora/contract/errors.ts'
import { type Kysely, sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import type { SiteSecret } from '../../site-secret.ts'

/**
 * Limit per window and key, counted in the database for all processes. Use it for rare, important operations such as
 * logins, and RateLimit for frequent ones. A window starts with the first one taken. Keys are stored as keyed hashes:
 * they contain addresses, and a password typed into the name field.
 */
export class SharedRateLimit {
  readonly #name: string
  readonly #limit: number
  readonly #windowMs: number
  readonly #clock: Clock
  readonly #secret: SiteSecret

  constructor(name: string, limit: number, windowSeconds: number, clock: Clock, secret: SiteSecret) {
    this.#name = name
    this.#limit = limit
    this.#windowMs = windowSeconds * 1000
    this.#clock = clock
    this.#secret = secret
  }

  /** Counts one operation. Throws `too_many_requests` when the limit is reached. */
  async assertAllowed<Database>(db: Kysely<Database>, key: string): Promise<void> {
    const { excess, retryAfterSeconds } = await this.take(db, key)
    if (excess === 0) return
    throw new AppError(errors.tooManyAttempts, {
      retryAfterSeconds,
    })
  }

  /** Counts one operation. Returns by how many the limit is exceeded, and when the window ends. */
  async take<Database>(
    db: Kysely<Database>,
    key: string,
  ): Promise<{ excess: number; retryAfterSeconds: number }> {
    const now = this.#clock.now()
    const end = new Date(now.getTime() + this.#windowMs)
    // A window that ends later began while a clock was wrong.
    const tooLate = new Date(end.getTime() + this.#windowMs)
    const { rows } = await sql<{ taken: number; windowEndsAt: Date }>`
      insert into rate_limits as present (key, window_ends_at, taken)
      values (${await this.#keyOf(key)}, ${end}::timestamptz, 1)
      on conflict (key) do update set (window_ends_at, taken) = (
        select case when is_over then excluded.window_ends_at else present.window_ends_at end,
          case when is_over then 1 else present.taken + 1 end
        from (select not present.window_ends_at between ${now}::timestamptz + interval '1 ms'
          and ${tooLate}::timestamptz as is_over) as state
      )
      returning taken, window_ends_at`.execute(db)
    const [window] = rows
    if (!window) throw new Error('An upsert returns its row')
    return {
      excess: Math.max(0, window.taken - this.#limit),
      retryAfterSeconds: (window.windowEndsAt.getTime() - now.getTime()) / 1000,
    }
  }

  /** Undoes one `take` that turned out not to count. */
  async giveBack<Database>(db: Kysely<Database>, key: string): Promise<void> {
    const stored = await this.#keyOf(key)
    await sql`update rate_limits set taken = greatest(taken - 1, 0) where key = ${stored}`.execute(db)
  }

  /** Resets the count of a key. */
  async reset<Database>(db: Kysely<Database>, key: string): Promise<void> {
    await sql`delete from rate_limits where key = ${await this.#keyOf(key)}`.execute(db)
  }

  async #keyOf(key: string): Promise<string> {
    const hash = await this.#secret.hash(`${this.#name} ${key}`)
    return `${this.#name} ${hash.toString('base64url')}`
  }
}

export async function deleteEndedWindows<Database>(db: Kysely<Database>, now: Date): Promise<void> {
  await sql`delete from rate_limits where window_ends_at <= ${now}::timestamptz`.execute(db)
}
