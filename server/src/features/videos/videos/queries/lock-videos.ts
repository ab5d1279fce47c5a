import type { Visibility } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isVisibleToEverybody, mayViewVideo } from '../../../visibility/queries.ts'
import { hasOldFile } from './cuts.ts'
import { videoNotFound } from './videos.ts'

/** A row that no other transaction changes until this one ends. */
export interface LockedVideo {
  ownerId: string
  thumbnail: string
  takedownReason: string | null
  visibility: Visibility
  heldVisibility: Visibility | null
  wasHeld: boolean
  publishAt: Date | null
  sensitiveReason: string | null
  sensitiveByModerator: boolean
}

/** Locks a video that a viewer may see until the end of the transaction. Throws `not_found`. */
export async function lockVideo(db: Db, id: string, viewerId: string): Promise<LockedVideo> {
  const video = await lockAnyVideo(db, id)
  if (!(await mayViewVideo(db, id, viewerId))) throw videoNotFound()
  return video
}

/**
 * Locks a video that everybody may see until the end of the transaction, by its own id or its thumbnail's. Of one that was cut,
 * only the thumbnail is public: the file, or an old one, has what was removed.
 */
export async function lockShownVideo(
  db: Db,
  id: string,
): Promise<{ id: string; thumbnail: string; isCut: boolean } | undefined> {
  return db
    .selectFrom('videos')
    .select(['id', 'thumbnail', sql<boolean>`cut is not null or ${hasOldFile}`.as('isCut')])
    .where((video) => video.or([video('id', '=', id), video('thumbnail', '=', id)]))
    .where(isVisibleToEverybody('videos'))
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Locks a video without a check of visibility. Throws `not_found`. */
export async function lockAnyVideo(db: Db, id: string): Promise<LockedVideo> {
  const video = await findLockedVideo(db, id)
  if (!video) throw videoNotFound()
  return video
}

/** Locks a video that may have been deleted. */
export async function findLockedVideo(db: Db, id: string): Promise<LockedVideo | undefined> {
  if (!db.isTransaction) throw new Error('A lock outside of a transaction ends with its statement')
  return db
    .selectFrom('videos')
    .select([
      'ownerId',
      'thumbnail',
      'takedownReason',
      'visibility',
      'heldVisibility',
      'wasHeld',
      'publishAt',
      'sensitiveReason',
      'sensitiveByModerator',
    ])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Locks those of the videos that still exist until the end of the transaction, and returns them. */
export async function lockVideos(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from videos where id = any(${ids}::text[]) order by id for no key update`.execute(db)
  return rows.map(({ id }) => id)
}
