import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { OwnCaptions } from '@kinora/contract/videos/captions.ts'
import { type Insertable, sql } from 'kysely'
import type { Database, Db } from '../../../context/database.ts'
import type { CaptionInfo } from '@kinora/media/source/source-info.ts'
import { isNotTakenDown } from '../../visibility/queries.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { videoNotFound } from '../videos/queries/videos.ts'
import { addedCaptions } from '../videos/queries/added-captions.ts'
import { type AddedCaptions, listCaptions } from '../videos/rules.ts'

/** Characters of captions that a search reads. */
export const captionsCharacters = 400_000

/** All captions of a video, without a check of who may see it. Throws `not_found`. */
export async function listAllCaptions(db: Db, videoId: string): Promise<OwnCaptions[]> {
  const { rows } = await sql<{
    id: string
    replacement: string | null
    isCut: boolean
    ofFile: CaptionInfo[] | null
    added: AddedCaptions[] | null
  }>`
    select v.id, v.replacement, v.cut is not null as is_cut, v.source->'captions' as of_file, ${addedCaptions} as added
    from videos v
    where v.id = ${videoId}`.execute(db)
  const [row] = rows
  if (!row) throw videoNotFound()
  // its owner edits them at the times of the whole file
  const media = `/media/videos/${row.id}${row.isCut ? '/uncut' : ''}`
  return listCaptions({ ...row, cut: null }, row.ofFile ?? [], row.added ?? [], media)
}

/** WebVTT of one version of captions, or undefined when there is none. */
export async function findCaptionsContent(
  db: Db,
  track: { videoId: string; id: string; version: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('captions')
    .select('content')
    .where('id', '=', track.id)
    .where('videoId', '=', track.videoId)
    .where('version', '=', track.version)
    .executeTakeFirst()
  return row?.content
}

export async function insertCaptions(db: Db, row: Insertable<Database['captions']>): Promise<void> {
  await db.insertInto('captions').values(row).execute()
}

/** Added captions of all videos with their texts, in order of video and id, after one. */
export async function listCaptionsAfter(
  db: Db,
  { videoId, id }: { videoId: string; id: string },
  limit: number,
): Promise<{ videoId: string; id: string; language: string; isAutomatic: boolean; content: string }[]> {
  const { rows } = await sql<Awaited<ReturnType<typeof listCaptionsAfter>>[number]>`
    select video_id, id, language, is_automatic, content from captions
    where (video_id, id) > (${videoId}, ${id}) order by video_id, id limit ${limit}`.execute(db)
  return rows
}

/** Added captions of a video, without their texts. */
export function listAddedCaptions(
  db: Db,
  videoId: string,
): Promise<{ id: string; language: string; isAutomatic: boolean }[]> {
  return db
    .selectFrom('captions')
    .select(['id', 'language', 'isAutomatic'])
    .where('videoId', '=', videoId)
    .orderBy('id')
    .execute()
}

/** Added captions of a video, with their texts. */
export function listAddedContents(
  db: Db,
  videoId: string,
): Promise<{ id: string; fileTrack: number | null; content: string }[]> {
  return db
    .selectFrom('captions')
    .select(['id', 'fileTrack', 'content'])
    .where('videoId', '=', videoId)
    .orderBy('id')
    .execute()
}

/** Gives captions the times of another file, which has none of its own. */
export async function replaceCaptions(
  db: Db,
  { videoId, id }: { videoId: string; id: string },
  content: string,
): Promise<void> {
  await db
    .updateTable('captions')
    .set(({ eb, ref }) => ({ content, fileTrack: null, version: eb(ref('version'), '+', 1) }))
    .where('id', '=', id)
    .where('videoId', '=', videoId)
    .execute()
}

/** Undefined fields keep their value. Throws `not_found`. */
export async function updateCaptions(
  db: Db,
  { videoId, id }: { videoId: string; id: string },
  changes: {
    language?: string
    label?: string
    isDefault?: boolean
    content?: string
    isAutomatic?: boolean
  },
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('captions')
    .set(({ eb, ref }) => ({ ...changes, version: eb(ref('version'), '+', 1) }))
    .where('id', '=', id)
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw captionsNotFound()
}

/** A track of captions in a file. */
export interface FileCaptions {
  videoId: string
  /** Place among the captions of the file. */
  fileTrack: number
  /** Names the file of the video. */
  replacement: string | null
}

/**
 * Captions in the files of videos whose text is not indexed yet. Videos are in any order: the same failures do not come first
 * again. Tracks of a video come last to first, so that all are indexed where the first one is. This is seen without
 * reading the large descriptions of the files.
 */
export async function listUnreadFileCaptions(db: Db, limit: number): Promise<FileCaptions[]> {
  const { rows } = await sql<FileCaptions>`
    select v.id as video_id, tracks.file_track, v.replacement
    from (
      select id, replacement, source, random() as place from videos v
      where v.source->'captions'->0 is not null and ${isNotTakenDown()} and not exists (
        select from file_captions f
        where f.video_id = v.id and f.file_track = 0 and f.replacement is not distinct from v.replacement
      )
      order by place limit ${sql.lit(limit)}
    ) v
    cross join lateral generate_series(0, jsonb_array_length(v.source->'captions') - 1) tracks (file_track)
    where not exists (
      select from file_captions f
      where f.video_id = v.id and f.file_track = tracks.file_track and f.replacement is not distinct from v.replacement
    )
    order by v.place, tracks.file_track desc limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** Indexes the text of captions in a file, unless the video is deleted or has another file by now. */
export async function putFileCaptions(
  db: Db,
  { videoId, fileTrack, replacement }: FileCaptions,
  content: string,
): Promise<void> {
  await sql`
    insert into file_captions (video_id, file_track, replacement, content, document)
    select id, ${fileTrack}::int, replacement, left(${content}::text, ${sql.lit(captionsCharacters)}), caption_words(${content}::text)
    from videos where id = ${videoId} and replacement is not distinct from ${replacement}::text
    on conflict (video_id, file_track) do update
    set replacement = excluded.replacement, content = excluded.content, document = excluded.document`.execute(
    db,
  )
}

/** Deletes the indexed text of the captions in the file of a video. */
export async function deleteFileCaptions(db: Db, videoId: string): Promise<void> {
  await db.deleteFrom('fileCaptions').where('videoId', '=', videoId).execute()
}

/** Deletes the automatic captions of a video: those of one language, or all. */
export async function deleteAutomaticCaptions(db: Db, videoId: string, language?: string): Promise<void> {
  await db
    .deleteFrom('captions')
    .where('videoId', '=', videoId)
    .where('isAutomatic', '=', true)
    .$if(language !== undefined, (captions) => captions.where('language', '=', language ?? ''))
    .execute()
}

/** Leaves a video without default captions. */
export async function clearDefault(db: Db, videoId: string): Promise<void> {
  await db
    .updateTable('captions')
    .set({ isDefault: false })
    .where('videoId', '=', videoId)
    .where('isDefault', '=', true)
    .execute()
}

/**
 * Makes edited copies of tracks independent of a file that is being replaced, unless the new one has the same languages in
 * their places. Runs before the replacement.
 */
export async function detachCopies(db: Db, videoId: string, ofNewFile: CaptionInfo[]): Promise<void> {
  await sql`
    update captions set file_track = null from videos v
    where v.id = ${videoId} and captions.video_id = v.id and captions.file_track is not null
      and v.source->'captions'->captions.file_track->>'language'
        is distinct from ${JSON.stringify(ofNewFile)}::jsonb->captions.file_track->>'language'`.execute(db)
}

/** Throws `not_found`. */
export async function deleteCaptions(db: Db, videoId: string, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('captions')
    .where('id', '=', id)
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw captionsNotFound()
}

const captionsNotFound = () => new AppError(videoErrors.captionsNotFound)
