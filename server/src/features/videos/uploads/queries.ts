import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database, Db } from '../../../context/database.ts'

/** Storage keys of a video, and the upload that replaced its first file; undefined if the video does not exist. */
export async function findFiles(
  db: Db,
  videoId: string,
): Promise<{ sourceKey: string; thumbnail: string; replacement: string | null } | undefined> {
  return db
    .selectFrom('videos')
    .select(['sourceKey', 'thumbnail', 'replacement'])
    .where('id', '=', videoId)
    .executeTakeFirst()
}

/** Whether a video or an unfinished upload mentions a source. The key contains the id of the video. */
export async function isSourceNeeded(db: Db, sourceKey: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from videos where id = split_part(${sourceKey}, '/', 2)
      and (source_key = ${sourceKey} or (right(${sourceKey}, 1) = '/' and starts_with(source_key, ${sourceKey})))
    union all select 1 from resumable_uploads where source_key = ${sourceKey}`.execute(db)
  return rows.length > 0
}

/** Whether a video of this owner exists. */
export async function hasVideoOf(db: Db, videoId: string, ownerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('videos')
    .select('id')
    .where('id', '=', videoId)
    .where('ownerId', '=', ownerId)
    .executeTakeFirst()
  return row !== undefined
}

interface UploadRequest {
  ownerId: string
  key: string
  requestId: string
}

/** Records the video of a request. Waits for a concurrent request with the same key; returns false if that has a video. */
export async function insertUploadRequest(
  db: Db,
  row: UploadRequest & { videoId: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('uploadRequests')
    .values(row)
    .onConflict((conflict) => conflict.columns(['ownerId', 'key']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The video that an earlier request with this key has published, which that request no longer undoes. */
export async function claimUploadRequest(
  db: Db,
  { ownerId, key, requestId }: UploadRequest,
): Promise<string | undefined> {
  const row = await db
    .updateTable('uploadRequests')
    .set({ requestId })
    .where('ownerId', '=', ownerId)
    .where('key', '=', key)
    .returning('videoId')
    .executeTakeFirst()
  return row?.videoId
}

/** Removes the record of a request. Returns false if another request has claimed it. */
export async function deleteUploadRequest(
  db: Db,
  { ownerId, key, requestId }: UploadRequest,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('uploadRequests')
    .where('ownerId', '=', ownerId)
    .where('key', '=', key)
    .where('requestId', '=', requestId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Total storage, count and duration of an account's videos, or of those among `ids`. */
export async function sumVideosOf(
  db: Db,
  ownerId: string,
  ids?: string[],
): Promise<{ videos: number; bytes: number; seconds: number }> {
  return db
    .selectFrom('videos')
    .select(({ fn }) => [
      sql<number>`count(*)::float8`.as('videos'),
      sql<number>`coalesce(${fn.sum('sizeBytes')}, 0)::float8`.as('bytes'),
      sql<number>`coalesce(sum(
        case when cut is null then duration_seconds else (source->>'durationSeconds')::float8 end
      ), 0)::float8`.as('seconds'),
    ])
    .where('ownerId', '=', ownerId)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${ids}::text[])`))
    .executeTakeFirstOrThrow()
}

/** The quota that administrators have given an account. */
export async function findQuota(
  db: Db,
  userId: string,
): Promise<
  Pick<Database['users'], 'quotaBytes' | 'quotaVideos' | 'quotaDailyBytes' | 'quotaVideoMinutes'> | undefined
> {
  return db
    .selectFrom('users')
    .select(['quotaBytes', 'quotaVideos', 'quotaDailyBytes', 'quotaVideoMinutes'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Sizes of an account's uploads since a time, oldest first, deleted ones included. */
export async function listUploadedBytes(
  db: Db,
  ownerId: string,
  since: Date,
): Promise<{ bytes: number; uploadedAt: Date }[]> {
  return db
    .selectFrom('uploadedBytes')
    .select(['bytes', 'uploadedAt'])
    .where('ownerId', '=', ownerId)
    .where('uploadedAt', '>', since)
    .orderBy('uploadedAt')
    .execute()
}

/** Whether the size of an upload has been recorded, which happens once: at its beginning or at its publication. */
export async function hasUploadedBytes(db: Db, uploadId: string): Promise<boolean> {
  const row = await db
    .selectFrom('uploadedBytes')
    .select('uploadId')
    .where('uploadId', '=', uploadId)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertUploadedBytes(db: Db, row: Database['uploadedBytes']): Promise<void> {
  await db
    .insertInto('uploadedBytes')
    .values(row)
    .onConflict((conflict) => conflict.column('uploadId').doNothing())
    .execute()
}

/** Counted bytes of uploads, by id. */
export async function listCountedBytes(db: Db, uploadIds: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ uploadId: string; bytes: number }>`
    select upload_id, bytes from uploaded_bytes where upload_id = any(${uploadIds}::text[])`.execute(db)
  return new Map(rows.map(({ uploadId, bytes }) => [uploadId, bytes]))
}

/** Changes what an upload counts: the bytes that were received before it was cancelled, or those of a growing one. */
export async function updateUploadedBytes(db: Db, uploadId: string, bytes: number): Promise<void> {
  await db.updateTable('uploadedBytes').set({ bytes }).where('uploadId', '=', uploadId).execute()
}

export async function deleteUploadedBytes(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('uploadedBytes').where('uploadedAt', '<', before).execute()
}

export type UploadRow = Selectable<Database['resumableUploads']>

export async function insertUpload(db: Db, row: Insertable<Database['resumableUploads']>): Promise<void> {
  await db.insertInto('resumableUploads').values(row).execute()
}

export async function findUpload(db: Db, id: string): Promise<UploadRow | undefined> {
  return db.selectFrom('resumableUploads').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The unpublished uploads of an account in a bucket. */
export async function listUploadsOf(db: Db, ownerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from resumable_uploads where metadata->>'ownerId' = ${ownerId}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Until the transaction ends no other upload of this account begins. */
export async function lockUploadsOf(db: Db, ownerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`uploads of ${ownerId}`}, 0))`.execute(db)
}

export async function updateUploadSize(db: Db, id: string, sizeBytes: number): Promise<void> {
  await db.updateTable('resumableUploads').set({ sizeBytes }).where('id', '=', id).execute()
}

/** Makes `writer` the only one that may continue an upload; undefined if it is not at that offset. */
export async function claimUpload(
  db: Db,
  id: string,
  offset: number,
  writer: string,
  now: Date,
): Promise<(UploadRow & { writer: string }) | undefined> {
  const row = await db
    .updateTable('resumableUploads')
    .set({ writer, touchedAt: now })
    .where('id', '=', id)
    .where('receivedBytes', '=', offset)
    .returningAll()
    .executeTakeFirst()
  return row && { ...row, writer }
}

/** Records one more stored part, or a tail after the parts. False if another writer has taken over. */
export async function updateReceived(
  db: Db,
  id: string,
  writer: string,
  {
    partTag,
    tailKey = null,
    receivedBytes,
  }: { partTag?: string; tailKey?: string | null; receivedBytes: number },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('resumableUploads')
    .set({ tailKey, receivedBytes, touchedAt: now })
    .$if(partTag !== undefined, (query) => query.set({ partTags: sql`part_tags || array[${partTag}::text]` }))
    .where('id', '=', id)
    .where('writer', '=', writer)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('resumableUploads').where('id', '=', id).execute()
}

/** The uploads that imports of accounts have still to read. */
export async function listAwaitedUploads(db: Db): Promise<string[]> {
  const { rows } = await sql<{ uploadId: string }>`
    select upload_id from account_imports where state = 'running' and upload_id is not null`.execute(db)
  return rows.map(({ uploadId }) => uploadId)
}

/** Times before which an upload must have been continued, by whether its length is known. */
export interface UntouchedSince {
  declared: Date
  growing: Date
}

const isUntouched = ({ declared, growing }: UntouchedSince) =>
  sql<boolean>`touched_at < case when size_bytes is null then ${growing}::timestamptz else ${declared}::timestamptz end`

/** The uploads in a bucket that were not continued since, and that no import waits for. */
export async function listUntouched(db: Db, before: UntouchedSince): Promise<string[]> {
  const awaited = await listAwaitedUploads(db)
  const { rows } = await sql<{ id: string }>`
    select id from resumable_uploads where ${isUntouched(before)} and id <> all(${awaited}::text[])`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Deletes the row of an upload, unless it was continued since. */
export async function deleteUntouched(
  db: Db,
  id: string,
  before: UntouchedSince,
): Promise<Pick<UploadRow, 'sourceKey' | 'partsId'> | undefined> {
  return db
    .deleteFrom('resumableUploads')
    .where('id', '=', id)
    .where(isUntouched(before))
    .returning(['sourceKey', 'partsId'])
    .executeTakeFirst()
}

/** The uploads in a bucket, with the keys of their future sources. */
export async function listUnfinished(db: Db): Promise<{ id: string; sourceKey: string }[]> {
  return db.selectFrom('resumableUploads').select(['id', 'sourceKey']).execute()
}

export type UploadDraft = Pick<Database['uploadDrafts'], 'title' | 'description' | 'visibility'>

/** Inserts or replaces the draft of an upload. */
export async function putDraft(
  db: Db,
  draft: UploadDraft & { uploadId: string; ownerId: string },
  now: Date,
): Promise<void> {
  const { uploadId: _, ...changes } = { ...draft, updatedAt: now }
  await db
    .insertInto('uploadDrafts')
    .values({ ...draft, updatedAt: now })
    .onConflict((conflict) => conflict.column('uploadId').doUpdateSet(changes))
    .execute()
}

/** The drafts of an account, oldest first. */
export async function listDraftsOf(db: Db, ownerId: string): Promise<(UploadDraft & { uploadId: string })[]> {
  return db
    .selectFrom('uploadDrafts')
    .select(['uploadId', 'title', 'description', 'visibility'])
    .where('ownerId', '=', ownerId)
    .orderBy('updatedAt')
    .limit(200)
    .execute()
}

/** Names of accounts by their ids. */
export async function findPeople(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { username: string; fullname: string }>> {
  const { rows } = await sql<{ id: string; username: string; fullname: string }>`
    select id, username, fullname from users where id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map(({ id, ...name }) => [id, name]))
}

export async function deleteDraft(db: Db, uploadId: string): Promise<void> {
  await db.deleteFrom('uploadDrafts').where('uploadId', '=', uploadId).execute()
}

/** Deletes the drafts that were not changed since. */
export async function deleteOldDrafts(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('uploadDrafts').where('updatedAt', '<', before).execute()
}
