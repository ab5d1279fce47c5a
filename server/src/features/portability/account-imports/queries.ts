import { type Explanation } from '@kinora/contract/failure.ts'
import type { ImportReport } from '@kinora/contract/portability/account-imports.ts'
import { type Selectable, sql } from 'kysely'
import type { Database, Db } from '../../../context/database.ts'
import { keyOfText } from '@kinora/platform/text-key.ts'
import { isVisible } from '../../visibility/queries.ts'
import { failureColumns } from '@kinora/platform/db/failure-columns.ts'

export const emptyReport: ImportReport = { counts: [], problems: [], moreProblems: 0 }

export type ImportRow = Selectable<Database['accountImports']>

/** The last import into an account. */
export async function findImportOf(db: Db, userId: string): Promise<ImportRow | undefined> {
  return db.selectFrom('accountImports').selectAll().where('userId', '=', userId).executeTakeFirst()
}

/** Accounts whose import a command runs, or ran until it was killed. */
export async function listImportsByCommand(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('accountImports')
    .select('userId')
    .where('state', '=', 'running')
    .where('uploadId', 'is', null)
    .execute()
  return rows.map(({ userId }) => userId)
}

/** Begins an import in place of the former one. Returns undefined while one is running. */
export async function replaceImport(
  db: Db,
  row: { userId: string; id: string; createdAt: Date; uploadId: string | null },
): Promise<ImportRow | undefined> {
  const fresh = {
    ...row,
    state: 'running' as const,
    format: null,
    failure: null,
    cause: null,
    progress: 0,
    report: JSON.stringify(emptyReport),
    steps: [],
  }
  const begun = await db
    .insertInto('accountImports')
    .values(fresh)
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet(fresh).where('accountImports.state', '<>', 'running'),
    )
    .returningAll()
    .executeTakeFirst()
  if (begun) await db.deleteFrom('accountImportSteps').where('userId', '=', row.userId).execute()
  return begun
}

/**
 * A running import of an account that is not suspended; undefined if it was stopped. In a transaction, the suspension of the
 * account waits until it ends.
 */
export async function findRunningImport(db: Db, id: string): Promise<ImportRow | undefined> {
  const { rows } = await sql<ImportRow>`
    select i.* from account_imports i join users u on u.id = i.user_id
    where i.id = ${id} and i.state = 'running' and u.suspended_at is null
      ${db.isTransaction ? sql`for share of u` : sql``}`.execute(db)
  return rows[0]
}

/** Number of imports of all accounts that run or wait. */
export async function countRunningImports(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('accountImports')
    .select((expression) => expression.fn.countAll().$castTo<string>().as('count'))
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface ImportChanges {
  state?: 'done' | 'failed' | 'cancelled'
  format?: string
  failure?: Explanation
  progress?: number
  report?: ImportReport
}

/** Changes a running import. Returns whether there still is one. */
export async function updateRunningImport(
  db: Db,
  id: string,
  { report, failure, ...changes }: ImportChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accountImports')
    .set({
      ...changes,
      ...(failure && failureColumns(failure)),
      ...(report && { report: JSON.stringify(report) }),
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Those steps of an import that are done, by `keyOfText` of their names, which are as long as an archive has them. */
export async function listSteps(db: Db, { userId, steps }: ImportRow): Promise<Set<string>> {
  const rows = await db
    .selectFrom('accountImportSteps')
    .select('nameHash')
    .where('userId', '=', userId)
    .execute()
  return new Set([...rows.map(({ nameHash }) => nameHash), ...steps.map(keyOfText)])
}

/** Notes a part of a running import as done, with the report. Returns whether the import still runs. */
export async function addStep(
  db: Db,
  id: string,
  step: string,
  { report, progress }: { report: ImportReport; progress: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .with('running', (cte) =>
      cte
        .updateTable('accountImports')
        .set({ report: JSON.stringify(report), progress })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .returning('userId'),
    )
    .insertInto('accountImportSteps')
    .columns(['userId', 'nameHash'])
    .expression((from) =>
      from.selectFrom('running').select(['userId', sql.val(keyOfText(step)).as('nameHash')]),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Stops a running import of an account. Returns whether there was one. */
export async function cancelImportOf(db: Db, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accountImports')
    .set({ state: 'cancelled' })
    .where('userId', '=', userId)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteImportOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('accountImports').where('userId', '=', userId).execute()
}

interface ImportedItem {
  userId: string
  kind: string
  origin: string
}

/** Rows of an index have at most 2,704 bytes. */
const originMaxBytes = 2000

/** An origin as it is stored. Archives have ids of any length. */
const storedOrigin = (origin: string): string =>
  Buffer.byteLength(origin) > originMaxBytes ? keyOfText(origin) : origin

/** The item that an account imported from an origin. */
export async function findItem(
  db: Db,
  { userId, kind, origin }: ImportedItem,
): Promise<{ itemId: string; isComplete: boolean } | undefined> {
  return db
    .selectFrom('importedItems')
    .select(['itemId', 'isComplete'])
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('origin', '=', storedOrigin(origin))
    .executeTakeFirst()
}

/** Stores which item is, or will be, the copy of an item of the archive. */
export async function putItem(
  db: Db,
  item: ImportedItem & { itemId: string; isComplete: boolean },
): Promise<void> {
  const { itemId, isComplete } = item
  await db
    .insertInto('importedItems')
    .values({ ...item, origin: storedOrigin(item.origin) })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'kind', 'origin']).doUpdateSet({ itemId, isComplete }),
    )
    .execute()
}

/**
 * The videos that references of an archive mean, by their ids in the archive: the account's own imported ones, or else
 * those of this site with that id. Leaves out what the account may not see.
 */
export async function resolveVideos(
  db: Db,
  userId: string,
  origins: readonly string[],
): Promise<Map<string, string>> {
  const named = new Map(origins.map((origin) => [storedOrigin(origin), origin]))
  const { rows } = await sql<{ origin: string; id: string }>`
    select named.origin, v.id from unnest(${[...named.keys()]}::text[]) named (origin)
    cross join lateral (
      select v.id from videos v where ${isVisible(userId)} and (v.id = named.origin or v.id = (
        select i.item_id from imported_items i
        where i.user_id = ${userId} and i.kind = 'video' and i.origin = named.origin and i.is_complete
      )) order by v.id = named.origin limit 1
    ) v`.execute(db)
  return new Map(rows.map(({ origin, id }) => [named.get(origin) ?? origin, id]))
}

export interface ResolvedComment {
  id: string
  videoId: string
  authorId: string
}

/** As `resolveVideos`, for comments: those that the account imported, or of this site on videos that it may see. */
export async function resolveComments(
  db: Db,
  userId: string,
  origins: readonly string[],
): Promise<Map<string, ResolvedComment>> {
  const named = new Map(origins.map((origin) => [storedOrigin(origin), origin]))
  const { rows } = await sql<ResolvedComment & { origin: string }>`
    select named.origin, c.id, c.video_id, c.author_id from unnest(${[...named.keys()]}::text[]) named (origin)
    cross join lateral (
      select c.id, c.video_id, c.author_id from comments c join videos v on v.id = c.video_id
      where c.deleted_at is null and not c.is_held and ${isVisible(userId)} and (c.id = named.origin or c.id = (
        select i.item_id from imported_items i
        where i.user_id = ${userId} and i.kind = 'comment' and i.origin = named.origin
      )) order by c.id = named.origin limit 1
    ) c`.execute(db)
  return new Map(rows.map(({ origin, ...comment }) => [named.get(origin) ?? origin, comment]))
}

/** Those of the ids that accounts of this site have. */
export async function listKnownPeople(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from users where id = any(${ids}::text[]) and not awaits_approval`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Those of the ids that videos of an account have. */
export async function listOwnVideos(db: Db, userId: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from videos where id = any(${ids}::text[]) and owner_id = ${userId}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Whether an account has a playlist of this id. */
export async function hasPlaylist(db: Db, userId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('playlists')
    .select('id')
    .where('id', '=', id)
    .where('ownerId', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** The text and pictures of an account's channel, to see what is still empty. */
export async function getChannel(db: Db, userId: string) {
  const row = await db
    .selectFrom('users')
    .leftJoin('channelProfiles', 'channelProfiles.userId', 'users.id')
    .select([
      'users.coverImage',
      'users.language',
      'sensitiveVideos',
      'viewingLanguages',
      'about',
      'links',
      'pinnedVideoId',
    ])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
  const hasViewing = row.sensitiveVideos !== null || row.viewingLanguages !== null
  return { ...row, hasViewing, about: row.about ?? '', links: row.links ?? [] }
}

/** Channels whose profiles link to addresses, by the address as `comparableAddress` has it. */
export async function listChannelsByLink(
  db: Db,
  addresses: readonly string[],
): Promise<Map<string, { id: string; username: string }[]>> {
  const { rows } = await sql<{ id: string; username: string; address: string }>`
    select distinct u.id, u.username, linked.address
    from channel_profiles p join users u on u.id = p.user_id
    cross join lateral (
      select regexp_replace(regexp_replace(link, '^https?://(www\\.|m\\.)?', '', 'i'), '/+$', '') as address
      from unnest(p.links) link
    ) linked
    where linked.address = any(${addresses}::text[]) and u.suspended_at is null and not u.awaits_approval
    order by u.username`.execute(db)
  return Map.groupBy(rows, ({ address }) => address)
}
