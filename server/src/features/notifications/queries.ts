import type { Page } from '@kinora/contract/endpoint.ts'
import type { Notification, NotificationKind } from '@kinora/contract/notifications.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database.ts'
import { type PageRequest, toPage } from '../../platform/db/cursor.ts'
import { isListed, isNotLeaving, isNotMuted, isVisible } from '../visibility/queries.ts'

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
  processing: 'processing' | 'ready' | 'failed'
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
    processing,
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
          },
    comment: commentId === null ? null : { _id: commentId, content },
    report,
    device,
  }
}

/** Whether a person has not switched a kind off. */
const isOn = (userId: RawBuilder<unknown>, kind: NotificationKind | RawBuilder<string>) =>
  sql`not exists (select from muted_notifications m where m.user_id = ${userId} and m.kind = ${kind})`

/** Notifications `n` of a user that they may see, and what these are about. */
const fromVisible = (userId: string) => sql`
  from notifications n
  left join videos v on v.id = n.video_id
  left join comments c on c.id = n.comment_id
  left join reports r on r.id = n.report_id
  left join users a on a.id = case when n.kind = 'video' then v.owner_id else n.actor_id end
  where n.user_id = ${userId} and (n.video_id is null or ${isVisible(userId)})
    and c.deleted_at is null
    and (n.kind <> 'subscriber' or a.id is not null)
    and (a.id is null or ${isNotLeaving('a')})
    and (a.id is null or n.actors_count > 1 or ${isNotMuted(userId, 'a.id')})`

/** Notifications of a user that they may see, newest first. */
const selectNotifications = (userId: string, condition: RawBuilder<unknown>, limit: number) =>
  sql<NotificationRow>`
    select n.id, n.kind, n.is_read, n.created_at, n.actors_count, n.device, a.username, a.fullname, a.avatar,
      v.id as video_id, v.title, v.thumbnail, v.processing_state as processing,
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
    ? sql`and (n.created_at, n.id) < (${cursor.at}::timestamptz, ${Number(cursor.id)}::bigint)`
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
export async function markReadOfMuted(db: Db, userId: string, personId: string): Promise<void> {
  await sql`
    update notifications n set is_read = true
    where n.user_id = ${userId} and not n.is_read and n.actors_count = 1
      and (n.actor_id = ${personId} or n.kind = 'video' and exists (
        select from videos v where v.id = n.video_id and v.owner_id = ${personId}
      ))`.execute(db)
}

/** The kinds that a user has switched off. */
export async function listMuted(db: Db, userId: string): Promise<NotificationKind[]> {
  const rows = await db
    .selectFrom('mutedNotifications')
    .select(sql<NotificationKind>`kind`.as('kind'))
    .where('userId', '=', userId)
    .orderBy('kind')
    .execute()
  return rows.map(({ kind }) => kind)
}

export async function replaceMuted(
  db: Db,
  userId: string,
  kinds: readonly NotificationKind[],
): Promise<void> {
  await sql`
    with removed as (delete from muted_notifications where user_id = ${userId} and kind <> all(${kinds}::text[]))
    insert into muted_notifications (user_id, kind)
    select ${userId}, kind from unnest(${kinds}::text[]) as kind on conflict do nothing`.execute(db)
}

/**
 * Notifies the author of the comment that a comment replies to, the people it mentions and the owner of the video, each of
 * them once. Only the owner is notified of a comment that waits for approval.
 */
export async function insertOfComment(db: Db, commentId: string): Promise<void> {
  await insertOfComments(db, sql`c.id = ${commentId}`, { isRead: sql`false`, createdAt: sql`now()` })
}

/**
 * Brings the notifications of a restored comment and of its replies back, with the times of the comments. The person who
 * restored it has seen them.
 */
export async function restoreOfComment(db: Db, commentId: string, restoredBy?: string): Promise<void> {
  await insertOfComments(
    db,
    sql`c.deleted_at is null and (c.id = ${commentId} or c.parent_id = ${commentId})`,
    { isRead: sql`person.id = ${restoredBy ?? ''}`, createdAt: sql`c.created_at` },
  )
}

async function insertOfComments(
  db: Db,
  condition: RawBuilder<unknown>,
  { isRead, createdAt }: { isRead: RawBuilder<unknown>; createdAt: RawBuilder<unknown> },
): Promise<void> {
  const personId = sql.ref<string>('person.id')
  await sql`
    insert into notifications (user_id, kind, video_id, comment_id, actor_id, is_read, created_at)
    select distinct on (person.id, c.id) person.id, person.kind, v.id, c.id, c.author_id, ${isRead}, ${createdAt}
    from comments c join videos v on v.id = c.video_id left join comments p on p.id = c.parent_id
    cross join lateral (
      select p.author_id, 'reply', 1 where p.id is not null and not c.is_held
      union all select u.id, 'mention', 2 from unnest(c.mentions) name join users u on lower(u.username) = lower(name)
      where not c.is_held
      union all select v.owner_id, 'comment', 3
    ) person (id, kind, rank)
    where ${condition} and person.id <> c.author_id and ${isVisible(personId)}
      and ${isOn(personId, sql.ref<string>('person.kind'))} and ${isNotMuted(personId, 'c.author_id')}
    order by person.id, c.id, person.rank
    on conflict do nothing`.execute(db)
}

/** Notifies those who reported something of the decision, and with `isOwnerConcerned` the person whom it is about. */
export async function putOfReport(db: Db, reportId: number, isOwnerConcerned: boolean): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, report_id)
    select person.id, person.kind, r.id
    from reports r
    cross join lateral (
      select e.reporter_id, 'report' from report_entries e where e.report_id = r.id
      union all select r.owner_id, 'moderation' where ${isOwnerConcerned}
    ) person (id, kind)
    where r.id = ${reportId} and ${isOn(sql.ref('person.id'), sql.ref<string>('person.kind'))}
    order by person.id
    on conflict (report_id, user_id) where report_id is not null do update set is_read = false, created_at = now()`.execute(
    db,
  )
}

/** Notifies somebody of a sign-in with a device that is new for the account. */
export async function insertOfSignIn(db: Db, userId: string, device: string): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, device)
    select ${userId}, 'sign_in', ${device} where ${isOn(sql`${userId}`, 'sign_in')}`.execute(db)
}

/** Notifies the owner of a webhook that it is paused. */
export async function insertOfWebhook(db: Db, userId: string): Promise<void> {
  await sql`
    insert into notifications (user_id, kind)
    select ${userId}, 'webhook' where ${isOn(sql`${userId}`, 'webhook')}`.execute(db)
}

/** Withdraws the notifications of a decision that was taken back. */
export async function deleteOfReport(db: Db, reportId: number): Promise<void> {
  await db.deleteFrom('notifications').where('reportId', '=', reportId).execute()
}

/** Withdraws the notifications of a comment that waits for approval again, except that of the owner of the video. */
export async function deleteOfHeldComment(db: Db, commentId: string): Promise<void> {
  await sql`
    delete from notifications n using videos v
    where n.comment_id = ${commentId} and v.id = n.video_id and n.user_id <> v.owner_id`.execute(db)
}

/** Withdraws the notifications of a comment and of its replies. */
export async function deleteOfComment(db: Db, commentId: string): Promise<void> {
  await sql`
    delete from notifications where comment_id in (
      select id from comments where id = ${commentId} or parent_id = ${commentId}
    )`.execute(db)
}

/** Notifies a channel of a new subscriber; those since it last read are one notification. */
export async function putOfSubscriber(db: Db, channelId: string, subscriberId: string): Promise<void> {
  if (channelId === subscriberId) return
  await sql`
    insert into notifications as kept (user_id, kind, actor_id)
    select ${channelId}, 'subscriber', ${subscriberId}
    where ${isOn(sql`${channelId}`, 'subscriber')} and not exists (
      select from muted_people m where m.user_id = ${channelId} and m.person_id = ${subscriberId}
    )
    on conflict (user_id) where kind = 'subscriber' and not is_read do update
    set actors_count = kept.actors_count + 1, actor_id = excluded.actor_id, created_at = now()`.execute(db)
}

/**
 * Takes a subscriber out of the unread notifications of new subscribers: of one channel, or of all. Call it before the
 * subscriptions are deleted.
 */
export async function withdrawSubscriber(db: Db, subscriberId: string, channelId?: string): Promise<void> {
  const ofChannel = channelId === undefined ? sql`` : sql`and n.user_id = ${channelId}`
  const isIn = sql`n.kind = 'subscriber' and not n.is_read ${ofChannel} and exists (
    select from subscriptions s
    where s.subscriber_id = ${subscriberId} and s.channel_id = n.user_id and s.created_at >= n.began_at
  )`
  await sql`delete from notifications n where n.actors_count = 1 and ${isIn}`.execute(db)
  await sql`
    update notifications n set actors_count = n.actors_count - 1, actor_id = case
      when n.actor_id = ${subscriberId} then (
        select s.subscriber_id from subscriptions s
        where s.channel_id = n.user_id and s.subscriber_id not in (${subscriberId}, n.user_id)
        order by s.created_at desc limit 1
      )
      else n.actor_id
    end
    where ${isIn}`.execute(db)
}

/**
 * Notifies the owner of a video that its preparation has ended; again where it has ended before. An import brings many
 * videos at once, so of these only the failed ones are worth a notification.
 */
export async function putOfProcessing(db: Db, videoId: string): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, video_id)
    select v.owner_id, 'processing', v.id from videos v
    where v.id = ${videoId} and (v.processing_state = 'failed' or v.processing_state = 'ready' and not exists (
        select from imported_items i where i.user_id = v.owner_id and i.kind = 'video' and i.item_id = v.id
      ))
      and ${isVisible(sql.ref<string>('v.owner_id'))} and ${isOn(sql.ref('v.owner_id'), 'processing')}
    on conflict (video_id, user_id, kind) where kind in ('video', 'processing') do update
    set is_read = false, created_at = now()`.execute(db)
}

/**
 * Notifies the next subscribers, by id, of a public video, but for those who are notified already. Returns the last one, which
 * is null at the end, and whether the video is public.
 */
export async function insertOfVideo(
  db: Db,
  videoId: string,
  after: string,
  limit: number,
): Promise<{ last: string | null; isPublic: boolean }> {
  const { rows } = await sql<{ last: string | null; isPublic: boolean }>`
    with batch as materialized (
      select s.subscriber_id, v.id as video_id, v.owner_id
      from videos v join subscriptions s on s.channel_id = v.owner_id
      where v.id = ${videoId} and ${isListed('visitors')} and s.subscriber_id > ${after}
      order by s.subscriber_id limit ${limit}
    ), added as (
      insert into notifications (user_id, kind, video_id)
      select subscriber_id, 'video', video_id from batch
      where subscriber_id <> owner_id and ${isOn(sql.ref('subscriber_id'), 'video')}
        and ${isNotMuted(sql.ref<string>('subscriber_id'), 'owner_id')}
      order by subscriber_id on conflict do nothing
    )
    select max(subscriber_id) as last,
      exists (select from videos v where v.id = ${videoId} and ${isListed('visitors')}) as is_public
    from batch`.execute(db)
  return rows[0] ?? { last: null, isPublic: false }
}

/** Whether the subscribers of the owner were notified of a video already. */
export async function isAnnounced(db: Db, videoId: string): Promise<boolean> {
  const row = await db
    .selectFrom('announcedVideos')
    .select('videoId')
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  return row !== undefined
}

/** Notes that the subscribers were notified of a video, unless it is not public any more. */
export async function insertAnnounced(db: Db, videoId: string): Promise<void> {
  await sql`
    insert into announced_videos (video_id) select v.id from videos v
    where v.id = ${videoId} and ${isListed('visitors')} for key share on conflict do nothing`.execute(db)
}

/** Has a hidden video announced again when it becomes public: one that is scheduled, or was public only shortly. */
export async function deleteAnnounced(db: Db, videoId: string): Promise<void> {
  await sql`
    delete from announced_videos announced using videos v
    where announced.video_id = ${videoId} and v.id = announced.video_id and v.visibility <> 'public'
      and (v.visibility = 'scheduled' or announced.announced_at > now() - interval '1 hour')`.execute(db)
}

/** Deletes some notifications about a video of people who may not see it. Returns how many. */
export async function deleteHidden(db: Db, videoId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with hidden as (
      select n.id from notifications n where n.video_id = ${videoId} and not exists (
        select from videos v where v.id = n.video_id and ${isVisible(sql.ref<string>('n.user_id'))}
      ) limit ${limit}
    ), deleted as (delete from notifications using hidden where notifications.id = hidden.id returning 1)
    select count(*) as deleted from deleted`.execute(db)
  return rows[0]?.deleted ?? 0
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
