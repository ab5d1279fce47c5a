import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'

/**
 * Whether an account moderates, or has published a video that was approved or shown to others, and was not taken down. A video
 * that was given to another account counts for the one that published it.
 */
export async function hasPublishedVideo(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from users u where u.id = ${userId} and (u.role <> 'member' or exists (
      select from videos v where v.owner_id = u.id and v.takedown_reason is null
        and v.held_visibility is null and (v.is_approved or v.visibility in ('public', 'unlisted', 'members'))
        and not exists (select from given_videos given where given.video_id = v.id)
    ) or exists (
      select from given_videos given join videos v on v.id = given.video_id
      where given.giver_id = u.id and given.counts_for_giver and v.takedown_reason is null
    ))`.execute(db)
  return rows.length > 0
}

/**
 * When a member registered, and the number of their comments and videos that everybody could see since `shownBefore`, at
 * most `maxContributions`; undefined for moderators and administrators.
 */
export async function findTrackRecord(
  db: Db,
  userId: string,
  { shownBefore, maxContributions }: { shownBefore: Date; maxContributions: number },
): Promise<{ createdAt: Date; contributions: number } | undefined> {
  const { rows } = await sql<{ createdAt: Date; contributions: number }>`
    select u.created_at, (
      select count(*)::int from (
        (select from comments c where c.author_id = u.id and not c.is_held and c.deleted_at is null
          and c.created_at < ${shownBefore}::timestamptz limit ${maxContributions})
        union all
        (select from videos v where v.owner_id = u.id and v.takedown_reason is null and v.visibility = 'public'
          and not v.awaits_publication and v.created_at < ${shownBefore}::timestamptz
          and not exists (select from given_videos given where given.video_id = v.id) limit ${maxContributions})
        union all
        (select from given_videos given join videos v on v.id = given.video_id
          where given.giver_id = u.id and given.counts_for_giver and v.takedown_reason is null
            and v.visibility = 'public' and v.created_at < ${shownBefore}::timestamptz limit ${maxContributions})
      ) as shown
    ) as contributions
    from users u where u.id = ${userId} and u.role = 'member'`.execute(db)
  return rows[0]
}
