import type { ChannelProfile, ChannelSort, ListedChannel } from '@kinora/contract/watching/channels.ts'
import type { Page } from '@kinora/contract/endpoint.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { popularAmong, type Video } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { type PageRequest, toPage } from '@kinora/platform/db/cursor.ts'
import { toVideo, videoColumns, videoNotFound, type VideoRow } from '../../videos/videos/queries/videos.ts'
import {
  type Audience,
  isListed,
  isNotLeftOut,
  isOnChannel,
  members,
  isNotTakenDown,
  isUpcomingPremiere,
} from '../../visibility/queries.ts'

interface ChannelRow extends Omit<ListedChannel, '_id'> {
  id: string
  createdAt: Date
}

/** Columns of a list of channels, for queries that call the table `users u`. */
const channelColumns = (viewerId: string | null) => sql`
  u.id, u.username, u.fullname, u.avatar, u.subscribers_count, u.created_at,
  exists (
    select from subscriptions s where s.subscriber_id = ${viewerId}::text and s.channel_id = u.id
  ) as is_subscribed`

const toChannelPage = (rows: ChannelRow[], limit: number) =>
  toPage(
    rows,
    limit,
    ({ id, avatar, createdAt: _createdAt, ...channel }): ListedChannel => ({
      _id: id,
      ...channel,
      avatar: pictureUrl(avatar, pictureDefaultWidth.avatar),
    }),
    (row) => ({ at: row.createdAt.toISOString(), id: row.id }),
  )

/** The channels that have listed videos, newest first. */
export async function listChannels(
  db: Db,
  { cursor, limit }: PageRequest,
  viewerId: string | null,
  audience: Audience,
): Promise<Page<ListedChannel>> {
  const after = cursor ? sql`and (u.created_at, u.id) < (${cursor.at}::timestamptz, ${cursor.id})` : sql``
  const { rows } = await sql<ChannelRow>`
    select ${channelColumns(viewerId)} from users u
    where u.suspended_at is null ${after}
      and exists (select from videos v where v.owner_id = u.id and ${isListed(audience)})
    order by u.created_at desc, u.id desc limit ${limit + 1}`.execute(db)
  return toChannelPage(rows, limit)
}

/** The channels of the newest videos, those with most subscribers first, as one page. */
export async function listPopularChannels(
  db: Db,
  { limit }: PageRequest,
  viewerId: string | null,
  audience: Audience,
): Promise<Page<ListedChannel>> {
  const { rows } = await sql<ChannelRow>`
    with newest as (
      select v.owner_id from videos v where ${isListed(audience)}
      order by v.created_at desc, v.id desc limit ${popularAmong}::int
    )
    select ${channelColumns(viewerId)} from users u
    where u.id in (select owner_id from newest) and u.suspended_at is null
    order by u.subscribers_count desc, u.id limit ${limit}::int`.execute(db)
  return toChannelPage(rows, limit)
}

/** Texts of a channel, with its pinned video if the viewer may see that. */
export async function getProfile(
  db: Db,
  channelId: string,
  viewerId: string,
  audience: Audience = members,
): Promise<ChannelProfile> {
  const isShown = sql`${isOnChannel(viewerId)} and ${isNotLeftOut(audience)}`
  const profile = await sql<Omit<ChannelProfile, 'joinedAt' | 'pinnedVideo'> & { createdAt: Date }>`
    select coalesce(p.about, '') as about, coalesce(p.links, '{}') as links, u.created_at,
      (select count(*) from videos v where v.owner_id = u.id and ${isShown}) as videos_count,
      exists (
        select from share_links link join videos v on v.id = link.video_id
        where link.is_listed and v.owner_id = u.id
      ) as has_locked,
      exists (
        select from videos v where v.owner_id = u.id and v.announced_visibility in ('public', 'members') and ${isNotTakenDown()}
      ) or exists (
        select from videos v where v.owner_id = u.id and v.visibility = 'scheduled' and ${isUpcomingPremiere()}
      ) as has_coming
    from users u left join channel_profiles p on p.user_id = u.id where u.id = ${channelId}`.execute(db)
  const pinned = await sql<VideoRow>`
    select ${videoColumns}
    from channel_profiles p join videos v on v.id = p.pinned_video_id join users o on o.id = v.owner_id
    where p.user_id = ${channelId} and v.owner_id = p.user_id and ${isShown}`.execute(db)
  const {
    about = '',
    links = [],
    createdAt = new Date(0),
    videosCount = 0,
    hasLocked = false,
    hasComing = false,
  } = profile.rows[0] ?? {}
  const video = pinned.rows[0]
  return {
    about,
    links,
    joinedAt: createdAt.toISOString(),
    videosCount,
    pinnedVideo: video ? toVideo(video) : null,
    hasLocked,
    hasComing,
  }
}

/** Replaces what a user says about the own channel. Throws `not_found` if the pinned video is not one of the user. */
export async function putProfile(
  db: Db,
  userId: string,
  {
    about = '',
    links,
    pinnedVideoId = null,
  }: { about?: string | undefined; links: string[]; pinnedVideoId?: string | null | undefined },
): Promise<void> {
  if (pinnedVideoId !== null) {
    const { rows } = await sql`
      select from videos where id = ${pinnedVideoId} and owner_id = ${userId} for key share`.execute(db)
    if (rows.length === 0) throw videoNotFound()
  }
  await sql`
    insert into channel_profiles (user_id, about, links, pinned_video_id)
    values (${userId}, ${about}, ${links}::text[], ${pinnedVideoId})
    on conflict (user_id) do update
      set about = excluded.about, links = excluded.links, pinned_video_id = excluded.pinned_video_id`.execute(
    db,
  )
}

const orders = {
  newest: sql`v.created_at desc, v.id desc`,
  oldest: sql`v.created_at, v.id`,
  popular: sql`v.views desc, v.created_at desc, v.id desc`,
} satisfies Record<ChannelSort, unknown>

/**
 * The videos of a channel that a viewer may see, by a text in their title and in an order. Most watched ones have one
 * page, because their order changes.
 */
export async function searchChannelVideos(
  db: Db,
  channelId: string,
  viewerId: string,
  {
    text,
    sort,
    page,
    audience,
  }: { text: string | undefined; sort: ChannelSort; page: PageRequest; audience: Audience },
): Promise<Page<Video>> {
  const { cursor, limit } = page
  const isFound = text ? sql`and strpos(lower(v.title), lower(${text})) > 0` : sql``
  const place = cursor && sql`(${cursor.at}::timestamptz, ${cursor.id})`
  const after = {
    newest: place && sql`and (v.created_at, v.id) < ${place}`,
    oldest: place && sql`and (v.created_at, v.id) > ${place}`,
    popular: undefined,
  }[sort]
  // the columns of a page only: a channel may have very many videos
  const { rows } = await sql<VideoRow>`
    with page as (
      select v.id from videos v where v.owner_id = ${channelId} and ${isOnChannel(viewerId)} and ${isNotLeftOut(audience)} ${isFound} ${after ?? sql``}
      order by ${orders[sort]} limit ${sort === 'popular' ? limit : limit + 1}::int
    )
    select ${videoColumns} from page join videos v on v.id = page.id join users o on o.id = v.owner_id
    order by ${orders[sort]}`.execute(db)
  return toPage(rows, limit, toVideo, (row) => ({ at: row.createdAt.toISOString(), id: row.id }))
}
