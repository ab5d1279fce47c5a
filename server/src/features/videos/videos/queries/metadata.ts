import type { Category, VideoMetadata } from '@kinora/contract/videos/video-metadata.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'

/** Columns of what owners state about a video, for queries that call the table `videos v`. */
export const metadataColumns = sql`
  v.tags, v.category, v.language, v.licence, v.comments_allowed, v.comments_held, v.downloads_allowed`

/** The metadata of a row of `metadataColumns`. */
export const toMetadata = (row: VideoMetadata): VideoMetadata => ({
  tags: row.tags,
  category: row.category,
  language: row.language,
  licence: row.licence,
  commentsAllowed: row.commentsAllowed,
  commentsHeld: row.commentsHeld,
  downloadsAllowed: row.downloadsAllowed,
})

/** Fields that change; undefined ones stay. */
export type MetadataChanges = { [Field in keyof VideoMetadata]?: VideoMetadata[Field] | undefined }

/** Changes what an owner states about a video. The caller holds its lock. */
export async function updateMetadata(db: Db, id: string, changes: MetadataChanges): Promise<void> {
  const { tags, category, language, licence, commentsAllowed, commentsHeld, downloadsAllowed } = changes
  const set = { tags, category, language, licence, commentsAllowed, commentsHeld, downloadsAllowed }
  if (Object.values(set).every((value) => value === undefined)) return
  await db.updateTable('videos').set(set).where('id', '=', id).execute()
}

/** Tag and category that a list is limited to. */
export interface BrowseFilter {
  tag?: string | undefined
  category?: Category | undefined
}

/** Whether a video has the tag, for queries that call the table `videos v`. */
export function hasTag(tag: string) {
  return sql<boolean>`video_tags(v.tags, v.description) @> array[${tag}::text]`
}

/** Whether the owner of a video lets its viewers download it. */
export async function areDownloadsAllowed(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('videos').select('downloadsAllowed').where('id', '=', id).executeTakeFirst()
  return row?.downloadsAllowed ?? false
}
