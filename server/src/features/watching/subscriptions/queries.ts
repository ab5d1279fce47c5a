import type { Page } from '@kinora/contract/endpoint.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import type {
  ChannelGroup,
  FeedEntry,
  FeedVisit,
  Subscription,
} from '@kinora/contract/watching/subscriptions.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { type PageRequest, toPage } from '@kinora/platform/db/cursor.ts'
import { toVideo, videoColumns, type VideoRow } from '../../videos/videos/queries/videos.ts'
import { type Audience, isListed, isNotLeaving, isVisible } from '../../visibility/queries.ts'

interface SubscriptionRow {
  channelId: string
  createdAt: Date
  username: string
  fullname: string
  avatar: string
}

function toSubscription(row: SubscriptionRow): Subscription {
  return {
    createdAt: row.createdAt.toISOString(),
    subscribedToName: {
      username: row.username,
      fullname: row.fullname,
      avatar: pictureUrl(row.avatar, pictureDefaultWidth.avatar),
    },
  }
}

/** The channels that a user subscribes to, newest first. */
export async function listSubscriptions(
  db: Db,
  subscriberId: string,
  { cursor, limit }: PageRequest,
): Promise<Page<Subscription>> {
  const after = cursor
    ? sql`and (s.created_at, s.channel_id) < (${cursor.at}::timestamptz, ${cursor.id})`
    : sql``
  const { rows } = await sql<SubscriptionRow>`
    select s.channel_id, s.created_at, u.username, u.fullname, u.avatar
    from subscriptions s join users u on u.id = s.channel_id
    where s.subscriber_id = ${subscriberId} and ${isNotLeaving()} ${after}
    order by s.created_at desc, s.channel_id desc limit ${limit + 1}`.execute(db)
  return toPage(rows, limit, toSubscription, (row) => ({
    at: row.createdAt.toISOString(),
    id: row.channelId,
  }))
}

export async function areSubscriptionsPrivate(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select from private_subscriptions where user_id = ${userId}`.execute(db)
  return rows.length === 1
}

export async function putSubscriptionsPrivate(db: Db, userId: string, isPrivate: boolean): Promise<void> {
  if (isPrivate)
    await sql`insert into private_subscriptions (user_id) values (${userId}) on conflict do nothing`.execute(
      db,
    )
  else await sql`delete from private_subscriptions where user_id = ${userId}`.execute(db)
}

/** Whether a user subscribes to the owner of a video; undefined if the video does not exist. */
export async function findSubscriptionToOwner(
  db: Db,
  videoId: string,
  userId: string,
): Promise<boolean | undefined> {
  const { rows } = await sql<{ subbed: boolean }>`
    select exists (
      select from subscriptions s where s.subscriber_id = ${userId} and s.channel_id = v.owner_id
    ) as subbed
    from videos v where v.id = ${videoId} and ${isVisible(userId)}`.execute(db)
  return rows[0]?.subbed
}

/** Returns whether the user did not subscribe to the channel before. */
export async function insertSubscription(db: Db, subscriberId: string, channelId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into subscriptions (subscriber_id, channel_id) values (${subscriberId}, ${channelId})
    on conflict do nothing returning 1`.execute(db)
  return rows.length === 1
}

/** Returns whether the user subscribed to the channel before. */
export async function deleteSubscription(db: Db, subscriberId: string, channelId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from subscriptions where subscriber_id = ${subscriberId} and channel_id = ${channelId}
    returning 1`.execute(db)
  return rows.length === 1
}

/**
 * The videos of a user's subscriptions, or of a group of them, newest first, and whether the user has watched them. Reads
 * no more than a page of each channel, however many videos it has.
 */
export async function listFeed(
  db: Db,
  subscriberId: string,
  { cursor, limit }: PageRequest,
  audience: Audience,
  groupId?: string,
): Promise<Page<FeedEntry>> {
  const after = cursor ? sql`and (v.created_at, v.id) < (${cursor.at}::timestamptz, ${cursor.id})` : sql``
  const isInGroup =
    groupId === undefined
      ? sql``
      : sql`and exists (
          select from channel_group_members m join channel_groups g on g.id = m.group_id
          where g.id = ${groupId} and g.owner_id = s.subscriber_id and m.channel_id = s.channel_id
        )`
  const { rows } = await sql<VideoRow & { isWatched: boolean }>`
    select ${videoColumns}, exists (
      select from watch_history h
      where h.user_id = ${subscriberId} and h.video_id = v.id and h.watched_at is not null
    ) as is_watched
    from (
      select newest.id from subscriptions s cross join lateral (
        select v.id, v.created_at from videos v
        where v.owner_id = s.channel_id and ${isListed({ ...audience, mutedBy: subscriberId })} ${after}
        order by v.created_at desc, v.id desc limit ${limit + 1}
      ) newest
      where s.subscriber_id = ${subscriberId} ${isInGroup}
      order by newest.created_at desc, newest.id desc limit ${limit + 1}
    ) page join videos v on v.id = page.id join users o on o.id = v.owner_id
    order by v.created_at desc, v.id desc`.execute(db)
  return toPage(
    rows,
    limit,
    (row) => ({ isWatched: row.isWatched, video: toVideo(row) }),
    (row) => ({ at: row.createdAt.toISOString(), id: row.id }),
  )
}

/** When a user last saw the feed, and whether it has videos since then that the user has not watched. */
export async function getFeedVisit(db: Db, userId: string, audience: Audience): Promise<FeedVisit> {
  const { rows } = await sql<{ seenAt: Date | null; hasNew: boolean }>`
    select seen_at, exists (
      select from subscriptions s join videos v on v.owner_id = s.channel_id
      where s.subscriber_id = ${userId} and ${isListed({ ...audience, mutedBy: userId })}
        and v.created_at > coalesce(seen_at, '-infinity') and not exists (
          select from watch_history h
          where h.user_id = ${userId} and h.video_id = v.id and h.watched_at is not null
        )
    ) as has_new
    from (select max(seen_at) as seen_at from feed_visits where user_id = ${userId}) visit`.execute(db)
  const { seenAt = null, hasNew = false } = rows[0] ?? {}
  return { seenAt: seenAt?.toISOString() ?? null, hasNew }
}

export async function putFeedVisit(db: Db, userId: string, seenAt: Date): Promise<void> {
  await db
    .insertInto('feedVisits')
    .values({ userId, seenAt })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ seenAt }))
    .execute()
}

/** The channel groups of a user, by name; or one of them. */
export async function listGroups(db: Db, ownerId: string, groupId?: string): Promise<ChannelGroup[]> {
  const isWanted = groupId === undefined ? sql`true` : sql`g.id = ${groupId}`
  const { rows } = await sql<{ id: string; name: string; usernames: string[] }>`
    select g.id, g.name, array(
      select u.username from channel_group_members m
      join users u on u.id = m.channel_id
      join subscriptions s on s.channel_id = m.channel_id and s.subscriber_id = g.owner_id
      where m.group_id = g.id and ${isNotLeaving()} order by lower(u.fullname), u.username
    ) as usernames
    from channel_groups g where g.owner_id = ${ownerId} and ${isWanted}
    order by lower(g.name), g.id`.execute(db)
  return rows.map(({ id: _id, ...group }) => ({ _id, ...group }))
}

/** Inserts a group unless its owner has `limit` groups already. Returns whether it did. */
export async function insertGroup(
  db: Db,
  group: { id: string; ownerId: string; name: string },
  limit: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into channel_groups (id, owner_id, name) select ${group.id}, ${group.ownerId}, ${group.name}
    where (select count(*) from channel_groups where owner_id = ${group.ownerId}) < ${limit}::int
    returning id`.execute(db)
  return rows.length === 1
}

/** Renames a group, which stays locked until the end of the transaction. Returns whether the owner has it. */
export async function renameGroup(db: Db, ownerId: string, groupId: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('channelGroups')
    .set({ name })
    .where('id', '=', groupId)
    .where('ownerId', '=', ownerId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Replaces the channels of a group by those of some usernames that its owner subscribes to. */
export async function putGroupMembers(db: Db, groupId: string, usernames: readonly string[]): Promise<void> {
  await db.deleteFrom('channelGroupMembers').where('groupId', '=', groupId).execute()
  await sql`
    insert into channel_group_members (group_id, channel_id)
    select g.id, s.channel_id
    from channel_groups g join subscriptions s on s.subscriber_id = g.owner_id join users u on u.id = s.channel_id
    where g.id = ${groupId} and lower(u.username) in (select lower(name) from unnest(${usernames}::text[]) name)`.execute(
    db,
  )
}

/** Adds channels to a group, as far as its owner subscribes to them. */
export async function addGroupMembers(db: Db, groupId: string, channelIds: readonly string[]): Promise<void> {
  await sql`
    insert into channel_group_members (group_id, channel_id)
    select g.id, s.channel_id from channel_groups g join subscriptions s on s.subscriber_id = g.owner_id
    where g.id = ${groupId} and s.channel_id = any(${channelIds}::text[])
    on conflict do nothing`.execute(db)
}

/** Returns whether the owner had the group. */
export async function deleteGroup(db: Db, ownerId: string, groupId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('channelGroups')
    .where('id', '=', groupId)
    .where('ownerId', '=', ownerId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Adds subscriptions with their dates. Returns the new ones. The caller holds the locks of all users, and counts them. */
export async function restoreSubscriptions(
  db: Db,
  subscriberId: string,
  subscriptions: readonly { channelId: string; createdAt: string }[],
): Promise<string[]> {
  const { rows } = await sql<{ channelId: string }>`
    insert into subscriptions (subscriber_id, channel_id, created_at)
    select ${subscriberId}, channel_id, least(created_at, now())
    from unnest(
      ${subscriptions.map(({ channelId }) => channelId)}::text[],
      ${subscriptions.map(({ createdAt }) => createdAt)}::timestamptz[]
    ) as restored (channel_id, created_at)
    on conflict do nothing returning channel_id`.execute(db)
  return rows.map(({ channelId }) => channelId)
}
