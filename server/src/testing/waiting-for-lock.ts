import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { TestApp } from './fixtures/test-app.ts'

/** Waits until `count` statements that contain these words wait for a lock. */
export async function untilWaitingForLock(
  { db }: Pick<TestApp, 'db'>,
  words: string,
  count = 1,
): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and query like ${`%${words}%`}
        and pid <> pg_backend_pid() and datname = current_database()`.execute(db)
    expect(rows).toHaveLength(count)
  }, 60_000)
}
