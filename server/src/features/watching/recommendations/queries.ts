import { listedDismissals, type Reason, shownDismissals } from '@kinora/contract/watching/recommendations.ts'
import { popularAmong, type Video } from '@kinora/contract/videos/videos.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { toVideo, videoColumns, videoNotFound, type VideoRow } from '../../videos/videos/queries/videos.ts'
import { type Audience, isListed, isNotLeaving, isUnderstood, isVisible } from '../../visibility/queries.ts'
import type { Candidate } from './rules.ts'

/** Candidates of each kind. */
const candidatesOfKind = 16
/** Videos with a shared tag that are compared, however common the tag is. */
const taggedCompared = 500

/** The channel and tags of a video that a viewer may see. Throws `not_found`. */
export async function getSeed(
  db: Db,
  videoId: string,
  viewerId: string | null,
): Promise<{ ownerId: string; tags: string[] }> {
  const { rows } = await sql<{ ownerId: string; tags: string[] }>`
    select v.owner_id, video_tags(v.tags, v.description) as tags
    from videos v where v.id = ${videoId} and ${isVisible(viewerId)}`.execute(db)
  if (!rows[0]) throw videoNotFound()
  return rows[0]
}

/** Listed videos related to a video, by kind and rank. */
export async function listCandidates(
  db: Db,
  videoId: string,
  { ownerId, tags }: { ownerId: string; tags: string[] },
  audience: Audience,
): Promise<Candidate[]> {
  const isShown = sql`${isListed(audience)} and ${isUnderstood(audience)}`
  const { rows } = await sql<VideoRow & { kind: Reason['kind']; tag: string | null; rank: number }>`
    with tagged as (
      select v.id, v.views, array(
        select unnest(video_tags(v.tags, v.description)) intersect select unnest(${tags}::text[]) order by 1
      ) as shared
      from videos v
      where video_tags(v.tags, v.description) && ${tags}::text[] and ${isShown}
      limit ${taggedCompared}::int
    ), of_channel as (
      select v.id, v.created_at from videos v where v.owner_id = ${ownerId} and ${isShown}
      order by v.created_at desc, v.id desc limit ${candidatesOfKind + 1}::int
    ), newest as (
      select v.id, v.views from videos v where ${isShown}
      order by v.created_at desc, v.id desc limit ${popularAmong}::int
    ), found as (
      (select id, 'tag' as kind, shared[1] as tag,
        row_number() over (order by cardinality(shared) desc, views desc, id) as rank
      from tagged where id <> ${videoId} order by rank limit ${candidatesOfKind}::int)
      union all
      (select id, 'channel', null, row_number() over (order by created_at desc, id desc) as rank
      from of_channel where id <> ${videoId} order by rank limit ${candidatesOfKind}::int)
      union all
      (select id, 'popular', null, row_number() over (order by views desc, id) as rank
      from newest where id <> ${videoId} order by rank limit ${candidatesOfKind}::int)
    )
    select ${videoColumns}, found.kind, found.tag, found.rank
    from found join videos v on v.id = found.id join users o on o.id = v.owner_id`.execute(db)
  return rows.map((row) => ({
    rank: row.rank,
    video: toVideo(row),
    reason: { kind: row.kind, tag: row.tag },
  }))
}

/** Does nothing if the video is dismissed already. Returns whether the user may see it. */
export async function dismissVideo(db: Db, userId: string, videoId: string): Promise<boolean> {
  const { rows } = await sql`
    with known as (
      select v.id from videos v where v.id = ${videoId} and ${isVisible(userId)} for key share
    ), added as (
      insert into dismissed_videos (user_id, video_id) select ${userId}, id from known on conflict do nothing
    )
    select from known`.execute(db)
  return rows.length === 1
}

/** Returns whether the video was dismissed. */
export async function restoreVideo(db: Db, userId: string, videoId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('dismissedVideos')
    .where('userId', '=', userId)
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Does nothing if the channel is dismissed already. */
export async function dismissChannel(db: Db, userId: string, channelId: string): Promise<void> {
  await db
    .insertInto('dismissedChannels')
    .values({ userId, channelId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function restoreChannel(db: Db, userId: string, channelId: string): Promise<void> {
  await db
    .deleteFrom('dismissedChannels')
    .where('userId', '=', userId)
    .where('channelId', '=', channelId)
    .execute()
}

/** Ids of the videos that a user dismissed, latest first. */
export async function listDismissedVideos(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('dismissedVideos')
    .select('videoId')
    .where('userId', '=', userId)
    .orderBy('dismissedAt', 'desc')
    .limit(listedDismissals)
    .execute()
  return rows.map(({ videoId }) => videoId)
}

/** The dismissed videos that the user may see, latest first. */
export async function showDismissedVideos(db: Db, userId: string): Promise<Video[]> {
  const { rows } = await sql<VideoRow>`
    select ${videoColumns}
    from dismissed_videos d join videos v on v.id = d.video_id join users o on o.id = v.owner_id
    where d.user_id = ${userId} and ${isVisible(userId)}
    order by d.dismissed_at desc limit ${shownDismissals}`.execute(db)
  return rows.map(toVideo)
}

/** The channels that a user dismissed, latest first. */
export async function listDismissedChannels(db: Db, userId: string) {
  const rows = await db
    .selectFrom('dismissedChannels as d')
    .innerJoin('users as u', 'u.id', 'd.channelId')
    .select(['u.id', 'u.username', 'u.fullname', 'u.avatar'])
    .where('d.userId', '=', userId)
    .where(isNotLeaving())
    .orderBy('d.dismissedAt', 'desc')
    .limit(listedDismissals)
    .execute()
  return rows.map(({ id: _id, avatar, ...names }) => ({
    _id,
    ...names,
    avatar: pictureUrl(avatar, pictureDefaultWidth.avatar),
  }))
}

/** Dismisses videos and channels with their dates, as an import brings them. Returns the number of new ones. */
export async function restoreDismissals(
  db: Db,
  userId: string,
  kind: 'videos' | 'channels',
  dismissals: readonly { id: string; dismissedAt: string }[],
): Promise<number> {
  const rows = sql`unnest(
      ${dismissals.map(({ id }) => id)}::text[], ${dismissals.map(({ dismissedAt }) => dismissedAt)}::timestamptz[]
    ) as restored (id, dismissed_at)`
  const { numAffectedRows } = await (
    kind === 'videos'
      ? sql`insert into dismissed_videos (user_id, video_id, dismissed_at)
          select ${userId}, v.id, least(restored.dismissed_at, now()) from ${rows} join videos v on v.id = restored.id
          order by v.id for key share of v on conflict do nothing`
      : sql`insert into dismissed_channels (user_id, channel_id, dismissed_at)
          select ${userId}, u.id, least(restored.dismissed_at, now()) from ${rows} join users u on u.id = restored.id
          order by u.id for key share of u on conflict do nothing`
  ).execute(db)
  return Number(numAffectedRows ?? 0n)
}
