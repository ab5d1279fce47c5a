import type { Page } from '@kinora/contract/endpoint.ts'
import type { Notification, NotificationKind } from '@kinora/contract/messages/notifications.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { type PageRequest, toPage } from '@kinora/platform/db/cursor.ts'
import { isNotLeaving, isNotMuted, isVisible } from '../../../visibility/queries.ts'
import { toDecideBy } from './decisions.ts'
import { isOn } from './muted-kinds.ts'

interface NotificationRow {
  id: number
  kind: NotificationKind
  isRead: boolean
  createdAt: Date
  actorsCount: number
  username: string | null
  fullname: string
  avatar: string
  videoId: string | null
  title: string
  thumbnail: string
  sensitiveReason: string | null
  processing: 'processing' | 'ready' | 'failed'
  isStream: boolean
  commentId: string | null
  content: string
  report: Notification['report']
  device: string | null
}

function toNotification(row: NotificationRow): Notification {
  const {
    username,
    fullname,
    avatar,
    videoId,
    title,
    thumbnail,
    sensitiveReason,
    processing,
    isStream,
    commentId,
    content,
    report,
    device,
  } = row
  return {
    _id: String(row.id),
    kind: row.kind,
    isRead: row.isRead,
    createdAt: row.createdAt.toISOString(),
    actorsCount: row.actorsCount,
    actor:
      username === null
        ? null
        : { username, fullname, avatar: pictureUrl(avatar, pictureDefaultWidth.avatar) },
    video:
      videoId === null
        ? null
        : {
            _id: videoId,
            title,
            thumbnail: pictureUrl(thumbnail, pictureDefaultWidth.thumbnail),
            processing,
            ...(isStream && { isStream: true as const }),
            ...(sensitiveReason !== null && { sensitive: { reason: sensitiveReason } }),
          },
    comment: commentId === null ? null : { _id: commentId, content },
    report,
    device,
  }
}

/** Notifications `n` of a user that they may see, and what these are about. */
const fromVisible = (userId: string) => sql`
  from notifications n
  left join videos v on v.id = n.video_id
  left join comments c on c.id = n.comment_id
  left join reports r on r.id = n.report_id
  left join users a on a.id = case when n.kind in ('video', 'premiere') then v.owner_id else n.actor_id end
  where n.user_id = ${userId} and (n.video_id is null or n.kind = 'live_expired' or ${isVisible(userId)})
    and c.deleted_at is null
    and (n.kind <> 'to_decide' or ${toDecideBy(sql.ref('n.user_id'))} > 0)
    and (n.kind not in ('subscriber', 'collaboration', 'handover') or a.id is not null)
    and (a.id is null or ${isNotLeaving('a')})
    and (a.id is null or n.actors_count > 1 or ${isNotMuted(userId, 'a.id')})`

/** Notifications of a user that they may see, newest first. */
const selectNotifications = (userId: string, condition: RawBuilder<unknown>, limit: number) =>
  sql<NotificationRow>`
    select n.id, n.kind, n.is_read, n.created_at, n.device, a.username, a.fullname, a.avatar,
      case when n.kind = 'to_decide' then ${toDecideBy(sql.ref('n.user_id'))} else n.actors_count end as actors_count,
      v.id as video_id, v.title, v.thumbnail, v.sensitive_reason, v.processing_state as processing,
      n.kind = 'premiere' and exists (select from live_streams s where s.video_id = v.id) as is_stream,
      c.id as comment_id, left(c.content, 200) as content,
      case when r.id is not null then jsonb_build_object('_id', r.id::text, 'kind', r.kind, 'title', left(r.title, 200),
        'decision', r.decision, 'note', r.note) end as report
    ${fromVisible(userId)} ${condition}
    order by n.created_at desc, n.id desc limit ${limit}`

/** Whether a user gets a kind by mail or by push: mails are off unless chosen, pushes are on for a subscribed browser. */
const isSent = {
  mail: sql`exists (select from mailed_notifications m where m.user_id = n.user_id and m.kind = n.kind)`,
  push: sql`not exists (select from muted_pushes m where m.user_id = n.user_id and m.kind = n.kind)`,
}

/** Of some notifications of a user, newest first, those that are unread, still visible and of kinds that are sent. */
export async function listToSend(
  db: Db,
  { userId, ids, since, limit }: { userId: string; ids: readonly number[]; since: Date; limit: number },
  channel: keyof typeof isSent,
): Promise<Notification[]> {
  const isWanted = sql`
    and n.id = any(${ids}::bigint[]) and not n.is_read and n.created_at > ${since}::timestamptz
    and ${isSent[channel]} and ${isOn(sql.ref('n.user_id'), sql.ref<string>('n.kind'))}`
  const { rows } = await selectNotifications(userId, isWanted, limit).execute(db)
  return rows.map(toNotification)
}

/** The notifications of a user, newest first, without those about videos that the user may not see, or by muted people. */
export async function listNotifications(
  db: Db,
  userId: string,
  { cursor, limit }: PageRequest,
): Promise<Page<Notification>> {
  const after = cursor
    ? sql`and (n.created_at, n.id) < (${cursor.at}::timestamptz, ${cursor.id}::bigint)`
    : sql``
  const { rows } = await selectNotifications(userId, after, limit + 1).execute(db)
  return toPage(rows, limit, toNotification, (row) => ({
    at: row.createdAt.toISOString(),
    id: String(row.id),
  }))
}

/** Unread notifications that are counted one by one; of more, the stored number is as good. */
const exactUnread = 1000

/** How many unread notifications a user has, without those that the list leaves out. */
export async function countUnread(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('unreadNotifications')
    .select('unread')
    .where('userId', '=', userId)
    .executeTakeFirst()
  const stored = row?.unread ?? 0
  if (stored === 0 || stored > exactUnread) return stored
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread ${fromVisible(userId)} and not n.is_read`.execute(db)
  return rows[0]?.unread ?? 0
}

/** Marks a notification of a user as read. Returns whether the user has it. */
export async function markRead(db: Db, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    update notifications set is_read = true where user_id = ${userId} and id = ${/^\d{1,15}$/.test(id) ? Number(id) : 0} returning 1`.execute(
    db,
  )
  return rows.length === 1
}

export async function markAllRead(db: Db, userId: string): Promise<void> {
  await sql`update notifications set is_read = true where user_id = ${userId} and not is_read`.execute(db)
}

/** Marks the notifications that lists leave out since a person was muted as read, so that nothing counts them. */
export async function markMutedAsRead(db: Db, userId: string, personId: string): Promise<void> {
  await sql`
    update notifications n set is_read = true
    where n.user_id = ${userId} and not n.is_read and n.actors_count = 1
      and (n.actor_id = ${personId} or n.kind in ('video', 'premiere') and exists (
        select from videos v where v.id = n.video_id and v.owner_id = ${personId}
      ))`.execute(db)
}

/** Deletes some notifications from before a time. Returns how many. */
export async function deleteOld(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with old as (
      select id from notifications where created_at < ${before}::timestamptz limit ${limit}
    ), deleted as (delete from notifications using old where notifications.id = old.id returning 1)
    select count(*) as deleted from deleted`.execute(db)
  return rows[0]?.deleted ?? 0
}
