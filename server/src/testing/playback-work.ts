import { sql } from 'kysely'
import { expect } from 'vitest'
import type { TestApp } from './test-app.ts'

/** Waits until nothing is made of any film, nor to be made: who made what was asked for may still write what was not. */
export async function untilNothingIsMade({ db }: Pick<TestApp, 'db'>): Promise<void> {
  const atWork = sql<{ name: string }>`
    select name from pgboss.job where state in ('created', 'retry', 'active') and name like 'playback.%'`
  await expect.poll(async () => (await atWork.execute(db)).rows, { timeout: 200_000 }).toEqual([])
}
