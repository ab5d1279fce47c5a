import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** Whether an account moderates, or has a video that was approved or shown to others, and was not taken down. */
export async function hasPublishedVideo(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from users u where u.id = ${userId} and (u.role <> 'member' or exists (
      select from videos v where v.owner_id = u.id and v.takedown_reason is null
        and v.held_visibility is null and (v.is_approved or v.visibility in ('public', 'unlisted', 'members'))
    ))`.execute(db)
  return rows.length > 0
}

/**
 * Whether a member registered after `since` and has fewer than `contributions` comments and videos that everybody could
 * see since `shownBefore`.
 */
export async function isUnproven(
  db: Db,
  userId: string,
  { since, shownBefore, contributions }: { since: Date; shownBefore: Date; contributions: number },
): Promise<boolean> {
  const { rows } = await sql`
    select from users u where u.id = ${userId} and u.role = 'member' and u.created_at > ${since}::timestamptz
    and ${contributions} > (
      select count(*) from (
        (select from comments c where c.author_id = u.id and not c.is_held and c.deleted_at is null
          and c.created_at < ${shownBefore}::timestamptz limit ${contributions})
        union all
        (select from videos v where v.owner_id = u.id and v.takedown_reason is null and v.visibility = 'public'
          and not v.awaits_publication and v.created_at < ${shownBefore}::timestamptz limit ${contributions})
      ) as shown
    )`.execute(db)
  return rows.length > 0
}
