import type { LiveEndReason } from '@kinora/contract/live/live-streams.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'

/** The browser that streams on a channel, or did last. */
export interface LiveBrowser {
  channelId: string
  id: string
  openedAt: Date
  seenAt: Date
  nextPiece: number
  /** Whether a part of its stream was recorded. */
  hasBegun: boolean
  endReason: LiveEndReason | null
}

/** The key of a browser: another one may have streamed on its channel before. */
export type BrowserId = Pick<LiveBrowser, 'channelId' | 'id'>

const columns = ['channelId', 'id', 'openedAt', 'seenAt', 'nextPiece', 'hasBegun', 'endReason'] as const

/** Finds the browser of a channel, and locks its row where `isLocked`. */
export async function findBrowser(
  db: Db,
  channelId: string,
  { isLocked = false } = {},
): Promise<LiveBrowser | undefined> {
  const row = await db
    .selectFrom('liveBrowsers')
    .select(columns)
    .where('channelId', '=', channelId)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst()
  return row && { ...row, endReason: row.endReason as LiveEndReason | null }
}

/** Replaces the browser of a channel, and deletes the pieces of the one before. */
export async function putBrowser(
  db: Db,
  { channelId, id, now }: { channelId: string; id: string; now: Date },
): Promise<void> {
  await db.deleteFrom('livePieces').where('channelId', '=', channelId).execute()
  const row = { id, openedAt: now, seenAt: now, nextPiece: 0, hasBegun: false, endReason: null }
  await db
    .insertInto('liveBrowsers')
    .values({ channelId, ...row })
    .onConflict((conflict) => conflict.column('channelId').doUpdateSet(row))
    .execute()
}

export interface WaitingPieces {
  count: number
  bytes: number
}

/** Pieces of a channel that are not recorded yet. */
export async function sumPieces(db: Db, channelId: string): Promise<WaitingPieces> {
  const { rows } = await sql<WaitingPieces>`
    select count(*)::int as count, coalesce(sum(octet_length(content)), 0)::float8 as bytes
    from live_pieces where channel_id = ${channelId}`.execute(db)
  return rows[0] ?? { count: 0, bytes: 0 }
}

/** Inserts the next piece of a browser, whose row is locked. */
export async function insertPiece(
  db: Db,
  { channelId, piece, content, now }: { channelId: string; piece: number; content: Buffer; now: Date },
): Promise<void> {
  await db.insertInto('livePieces').values({ channelId, piece, content, receivedAt: now }).execute()
  await db
    .updateTable('liveBrowsers')
    .set({ nextPiece: piece + 1, seenAt: now })
    .where('channelId', '=', channelId)
    .execute()
}

export interface WaitingPiece {
  browser: Pick<LiveBrowser, 'channelId' | 'id' | 'hasBegun'>
  piece: number
  content: Buffer
  receivedAt: Date
}

/** The first piece of a channel from a number on. */
export async function findPiece(db: Db, channelId: string, from: number): Promise<WaitingPiece | undefined> {
  const row = await db
    .selectFrom('livePieces')
    .innerJoin('liveBrowsers', 'liveBrowsers.channelId', 'livePieces.channelId')
    .select(['livePieces.channelId', 'id', 'hasBegun', 'piece', 'content', 'receivedAt'])
    .where('livePieces.channelId', '=', channelId)
    .where('piece', '>=', from)
    .where('endReason', 'is', null)
    .orderBy('piece')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const { piece, content, receivedAt, ...browser } = row
  return { browser, piece, content, receivedAt }
}

/** Channels with pieces that are not recorded yet. */
export async function listWaitingChannels(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('livePieces')
    .innerJoin('liveBrowsers', 'liveBrowsers.channelId', 'livePieces.channelId')
    .select('livePieces.channelId')
    .distinct()
    .where('endReason', 'is', null)
    .execute()
  return rows.map(({ channelId }) => channelId)
}

/** Records that a part of the stream of a browser was recorded. */
export async function markBegun(db: Db, { channelId, id }: BrowserId): Promise<void> {
  await db
    .updateTable('liveBrowsers')
    .set({ hasBegun: true })
    .where('channelId', '=', channelId)
    .where('id', '=', id)
    .execute()
}

/** Deletes the pieces of a browser up to a number, unless another one has replaced it. */
export async function deletePieces(db: Db, { channelId, id }: BrowserId, until: number): Promise<void> {
  await sql`
    delete from live_pieces using live_browsers b
    where live_pieces.channel_id = ${channelId} and piece <= ${until}
      and b.channel_id = live_pieces.channel_id and b.id = ${id}`.execute(db)
}

/** Records within a transaction why the stream of a browser ended, and deletes what waits. */
export async function endBrowser(db: Db, { channelId, id }: BrowserId, reason: LiveEndReason): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('liveBrowsers')
    .set({ endReason: reason })
    .where('channelId', '=', channelId)
    .where('id', '=', id)
    .where('endReason', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await db.deleteFrom('livePieces').where('channelId', '=', channelId).execute()
}

/**
 * Records that the page of a browser has closed: it counts as silent since a time, so that another one may replace it.
 * Returns false if its stream had ended, or if it was replaced.
 */
export async function markLeft(db: Db, { channelId, id }: BrowserId, seenAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('liveBrowsers')
    .set({ seenAt })
    .where('channelId', '=', channelId)
    .where('id', '=', id)
    .where('endReason', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes browsers that have sent nothing since a time, with their pieces. */
export async function deleteOldBrowsers(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('liveBrowsers').where('seenAt', '<', before).execute()
}
