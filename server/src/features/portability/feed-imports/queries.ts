import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database, Db } from '../../../context/database.ts'
import { isNotLeaving } from '../../visibility/queries.ts'
import type { WaitingEntry } from './rules.ts'

export type FeedImportRow = Selectable<Database['feedImports']>
export type ListedFeed = FeedImportRow & { importedCount: number; waitingCount: number }

/** The feeds of an account, or one of them, oldest first. */
export async function listFeedsOf(db: Db, ownerId: string, id?: string): Promise<ListedFeed[]> {
  const { rows } = await sql<ListedFeed>`
    select f.*,
      (select count(*)::int from feed_import_entries e join videos v on v.id = e.video_id
        where e.feed_id = f.id and v.owner_id = f.owner_id) as imported_count,
      (select count(*)::int from feed_import_entries e left join video_imports i on i.id = e.video_id
        where e.feed_id = f.id and e.content is not null
          and (e.video_id is null or i.state in ('waiting', 'running'))) as waiting_count
    from feed_imports f
    where f.owner_id = ${ownerId} ${id === undefined ? sql`` : sql`and f.id = ${id}`}
    order by f.created_at, f.id`.execute(db)
  return rows
}

/** Adds a feed unless the account has it already, or `max` others. In a transaction. */
export async function insertFeed(
  db: Db,
  row: Insertable<Database['feedImports']>,
  max: number,
): Promise<'added' | 'present' | 'too_many'> {
  await sql`select from users where id = ${row.ownerId} for no key update`.execute(db)
  const { rows } = await sql<{ feeds: number; present: boolean }>`
    select count(*)::int as feeds, coalesce(bool_or(url = ${row.url}), false) as present
    from feed_imports where owner_id = ${row.ownerId}`.execute(db)
  if (rows[0]?.present) return 'present'
  if ((rows[0]?.feeds ?? 0) >= max) return 'too_many'
  await db.insertInto('feedImports').values(row).execute()
  return 'added'
}

/** Pauses a feed of an account, or has a paused one checked immediately. Returns whether that changed it. */
export async function updatePaused(
  db: Db,
  { ownerId, id, isPaused, now }: { ownerId: string; id: string; isPaused: boolean; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('feedImports')
    .set(isPaused ? { pausedAt: now } : { pausedAt: null, nextCheckAt: now, failures: 0 })
    .where('id', '=', id)
    .where('ownerId', '=', ownerId)
    .where('pausedAt', isPaused ? 'is' : 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns whether the account had this feed. */
export async function deleteFeedOf(db: Db, ownerId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('feedImports')
    .where('id', '=', id)
    .where('ownerId', '=', ownerId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

const isActive = sql`f.paused_at is null and exists (
  select from users u where u.id = f.owner_id and u.suspended_at is null and ${isNotLeaving()})`

const isWaiting = (now: Date) =>
  sql`e.content is not null and e.video_id is null
    and (e.next_attempt_at is null or e.next_attempt_at <= ${now}::timestamptz)`

const hasWaiting = (now: Date) =>
  sql`exists (select from feed_import_entries e where e.feed_id = f.id and ${isWaiting(now)})`

/**
 * Takes feeds that are due, one of each account, and leases them. Feeds with entries that wait for their import are not
 * checked, so that a feed adds no more than is imported.
 */
export async function takeDueFeeds(
  db: Db,
  { now, leasedUntil, limit }: { now: Date; leasedUntil: Date; limit: number },
): Promise<FeedImportRow[]> {
  const { rows } = await sql<FeedImportRow>`
    with due as (
      select distinct on (f.owner_id) f.id, f.next_check_at from feed_imports f
      where f.next_check_at <= ${now}::timestamptz and ${isActive} and not ${hasWaiting(now)}
      order by f.owner_id, f.next_check_at
    )
    update feed_imports set next_check_at = ${leasedUntil}::timestamptz where id in (
      select f.id from feed_imports f join due on due.id = f.id and due.next_check_at = f.next_check_at
      order by f.next_check_at limit ${limit} for update skip locked
    ) returning *`.execute(db)
  return rows
}

/** Feeds with entries that wait for their import. */
export async function listFeedsWithWaiting(db: Db, now: Date): Promise<FeedImportRow[]> {
  const { rows } = await sql<FeedImportRow>`
    select f.* from feed_imports f
    where ${isActive} and ${hasWaiting(now)} and coalesce(f.next_import_at <= ${now}::timestamptz, true)
    order by f.next_check_at, f.id`.execute(db)
  return rows
}

/** Locks a feed that is not paused. Returns undefined if it was removed. */
export async function lockFeed(db: Db, id: string): Promise<FeedImportRow | undefined> {
  return db
    .selectFrom('feedImports')
    .selectAll()
    .where('id', '=', id)
    .where('pausedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateFeed(
  db: Db,
  id: string,
  changes: Partial<
    Pick<
      FeedImportRow,
      | 'title'
      | 'etag'
      | 'lastModified'
      | 'checkedAt'
      | 'nextCheckAt'
      | 'nextImportAt'
      | 'failures'
      | 'failure'
      | 'cause'
    >
  >,
): Promise<void> {
  await db.updateTable('feedImports').set(changes).where('id', '=', id).execute()
}

/** Adds entries in their order; those that were seen before stay. Without content, they are not imported. */
export async function insertEntries(
  db: Db,
  feedId: string,
  entries: readonly { key: string; content: WaitingEntry | null }[],
): Promise<void> {
  await sql`
    insert into feed_import_entries (feed_id, key, content)
    select ${feedId}, seen.key, seen.content
    from rows from (jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as (key text, content text))
      with ordinality as seen (key, content, number)
    order by seen.number
    on conflict do nothing`.execute(db)
}

export type EntryRow = Selectable<Database['feedImportEntries']>

/** The next entry of a feed that waits for its import; locks it. */
export async function lockNextEntry(db: Db, feedId: string, now: Date): Promise<EntryRow | undefined> {
  const { rows } = await sql<EntryRow>`
    select e.* from feed_import_entries e where e.feed_id = ${feedId} and ${isWaiting(now)}
    order by e.position limit 1 for update`.execute(db)
  return rows[0]
}

/** Entries whose import has ended or was removed, and whether it failed for a reason that may pass. */
export async function listEndedEntries(db: Db): Promise<(EntryRow & { isRetryable: boolean })[]> {
  const { rows } = await sql<EntryRow & { isRetryable: boolean }>`
    select e.*, coalesce(i.state = 'failed' and i.is_retryable, false) as is_retryable
    from feed_import_entries e left join video_imports i on i.id = e.video_id
    where e.content is not null and e.video_id is not null
      and coalesce(i.state in ('done', 'failed'), true)`.execute(db)
  return rows
}

export async function updateEntry(
  db: Db,
  { feedId, key }: Pick<EntryRow, 'feedId' | 'key'>,
  changes: Partial<Pick<EntryRow, 'content' | 'videoId' | 'attempts' | 'nextAttemptAt'>>,
): Promise<void> {
  await db
    .updateTable('feedImportEntries')
    .set(changes)
    .where('feedId', '=', feedId)
    .where('key', '=', key)
    .execute()
}
