import type { ToDecide } from '@kinora/contract/operations/moderation.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isOn } from './muted-kinds.ts'

/** Comments `c` on videos `v` in the queue of moderators. Those that rules of the video's owner hold wait for the owner. */
export const isInQueue = sql`c.is_held and not c.is_held_by_channel and not v.comments_held
  and not exists (select from comments p where p.id = c.parent_id and p.deleted_at is not null)`

/** Numbers of what waits for a moderator, without reports about that person, which others decide. */
export const decisionCounts = (moderatorId: RawBuilder<unknown> | string | null) => ({
  reports: sql<number>`(select count(*) from reports r
    where (r.decision is null or r.answered_at > r.decided_at) and r.owner_id is distinct from ${moderatorId})`,
  comments: sql<number>`(select count(*) from comments c join videos v on v.id = c.video_id
    where c.deleted_at is null and ${isInQueue})`,
  accounts: sql<number>`(select count(*) from users u where u.awaits_approval)`,
  videos: sql<number>`(select count(*) from videos v where v.held_visibility is not null and v.takedown_reason is null)`,
})

export async function countToDecide(db: Db, moderatorId: string): Promise<ToDecide> {
  const { reports, comments, accounts, videos } = decisionCounts(moderatorId)
  const { rows } = await sql<ToDecide>`
    select ${reports} as reports, ${comments} as comments, ${accounts} as accounts, ${videos} as videos`.execute(
    db,
  )
  return rows[0] ?? { reports: 0, comments: 0, accounts: 0, videos: 0 }
}

/** The number of things that a user has to decide; 0 for members. */
export const toDecideBy = (userId: RawBuilder<unknown>) => {
  const { reports, comments, accounts, videos } = decisionCounts(userId)
  return sql<number>`(select case when role = 'member' then 0 else ${reports} + ${comments} + ${accounts} + ${videos} end
    from users where id = ${userId})`
}

/** Mails and pushes of this kind keep this distance, however much arrives. */
const distance = sql`interval '1 hour'`

/**
 * Notifies moderators that something waits for their decision, but for the one who caused it. Each has one notification,
 * which becomes unread again; it is sent again at most once an hour. Call it before other notifications of a
 * transaction: they lock rows of moderators in the same order then.
 */
export async function notifyModerators(db: Db, causedBy: string): Promise<void> {
  await sql`
    update notifications set is_read = false where id in (
      select n.id from notifications n
      where n.kind = 'to_decide' and n.is_read and n.created_at > now() - ${distance} and n.user_id <> ${causedBy}
        and ${isOn(sql.ref('n.user_id'), 'to_decide')}
      order by n.user_id for no key update
    )`.execute(db)
  await sql`
    insert into notifications (user_id, kind)
    select u.id, 'to_decide' from users u
    where u.role <> 'member' and u.suspended_at is null and u.id <> ${causedBy} and ${isOn(sql.ref('u.id'), 'to_decide')}
      and not exists (
        select from notifications n
        where n.user_id = u.id and n.kind = 'to_decide' and n.created_at > now() - ${distance}
      )
    order by u.id
    on conflict (user_id) where kind = 'to_decide' do update set is_read = false, created_at = now()`.execute(
    db,
  )
}
