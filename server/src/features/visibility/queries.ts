import type { ChannelRole } from '@kinora/contract/channel-roles.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Site } from '@kinora/contract/operations/site.ts'
import type { Viewer } from '@kinora/platform/http/routing/route.ts'
import type { Db } from '../../context/database.ts'
import { notify } from '@kinora/platform/db/pubsub.ts'
import { visibilityChanged } from './topics.ts'

/** The viewer: null for visitors, a column if the query itself selects viewers. */
export type ViewerId = string | null | RawBuilder<string>

/** A browser that opened a share link, at a time. It may see what the link is for alone: see `isOpenedBy`. */
export interface ShareVisit {
  tokenHash: Buffer
  now: Date
}

/** For whom a list is. It is the same for all visitors, and for all members with the same choices who muted nobody. */
export interface Audience {
  isSignedIn: boolean
  /** A member who muted somebody. */
  mutedBy?: string
  /** Leaves out videos with sensitive content. */
  hidesSensitive?: boolean
  /** Languages of home and recommendations; absent for all. */
  languages?: readonly string[]
}

export const visitors: Audience = { isSignedIn: false }
export const members: Audience = { isSignedIn: true }

type ListViewer = Pick<Viewer, 'id' | 'hasMuted' | 'choices'>

/** The audience of a viewer. Visitors, and accounts without a choice, see sensitive videos as the site has chosen. */
export function audienceOf(viewer: ListViewer | null, site: Pick<Site, 'sensitiveVideos'>): Audience {
  const { sensitiveVideos = site.sensitiveVideos, languages } = viewer?.choices ?? {}
  return {
    isSignedIn: viewer !== null,
    ...(viewer?.hasMuted && { mutedBy: viewer.id }),
    ...(sensitiveVideos === 'hide' && { hidesSensitive: true }),
    ...(languages && { languages }),
  }
}

/** The audience of a channel: its owner sees all of it. */
export const audienceOnChannel = (
  viewer: ListViewer,
  ownerId: string,
  site: Pick<Site, 'sensitiveVideos'>,
): Audience => (viewer.id === ownerId ? members : audienceOf(viewer, site))

/** Whether a list does not leave out the video for its sensitive content. */
export function isNotLeftOut({ hidesSensitive = false }: Audience, table = 'v'): RawBuilder<boolean> {
  return hidesSensitive ? sql<boolean>`${sql.ref(`${table}.sensitive_reason`)} is null` : sql<boolean>`true`
}

/** Whether the video is in a language of the audience, or states none: home and recommendations show only these. */
export function isUnderstood({ languages }: Audience, table = 'v'): RawBuilder<boolean> {
  if (!languages) return sql<boolean>`true`
  const language = sql.ref(`${table}.language`)
  return sql<boolean>`(${language} is null or split_part(${language}, '-', 1) = any(${languages}::text[]))`
}

/**
 * Whether a viewer did not mute the person of a column. Lists, search, feeds, recommendations, comments and notifications
 * leave out those of muted people; what they made still opens by its URL, on their channel, and where the viewer kept it
 * (playlists, history).
 */
export function isNotMuted(viewerId: ViewerId, person: string): RawBuilder<boolean> {
  if (viewerId === null) return sql<boolean>`true`
  return sql<boolean>`${sql.ref(person)} <> all(array(select person_id from muted_people where user_id = ${viewerId}))`
}

/**
 * Whether an account is not one that its holder deleted, which is removed some days later: nobody may see its name or
 * pictures. Its videos are taken down and its comments deleted meanwhile.
 */
export function isNotLeaving(table = 'u'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${table}.deletes_at`)} is null`
}

/** Accounts whose videos and comments are being hidden one by one. Mostly none. */
const accountsBeingHidden = sql`array(select user_id from hidden_accounts where cause is not null)`

/** Whether an account is not one whose videos and comments are being hidden. */
export function isNotBeingHidden(person: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(person)} <> all(${accountsBeingHidden})`
}

/**
 * The role of a user in the channel of a column; null for those who do not work on it, and for its owner. Nobody works on a
 * channel that is suspended or being deleted. Everything that people may do on the channel of somebody else follows from this.
 */
export function channelRoleOf(userId: ViewerId, channel: string): RawBuilder<ChannelRole | null> {
  return sql<ChannelRole | null>`(
    select worker.role from collaborators worker join users channel on channel.id = worker.channel_id
    where worker.channel_id = ${sql.ref(channel)} and worker.user_id = ${userId} and channel.suspended_at is null
  )`
}

/** Whether the video is not taken down. Jobs prepare only these. */
export function isNotTakenDown(table = 'v'): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${table}.takedown_reason`)} is null and ${isNotBeingHidden(`${table}.owner_id`)})`
}

/** Whether lists, search and feeds include the video. */
export function isListed(audience: Audience, table = 'v'): RawBuilder<boolean> {
  const visibility = sql.ref(`${table}.visibility`)
  const isShown = audience.isSignedIn
    ? sql`${visibility} in ('public', 'members')`
    : sql`${visibility} = 'public'`
  const isOfUnmuted =
    audience.mutedBy === undefined ? sql`` : sql`and ${isNotMuted(audience.mutedBy, `${table}.owner_id`)}`
  const isKept = audience.hidesSensitive ? sql`and ${isNotLeftOut(audience, table)}` : sql``
  return sql<boolean>`${isNotTakenDown(table)} and ${isShown} ${isOfUnmuted} ${isKept}`
}

/**
 * Whether a viewer may open the video by its URL: while it waits for approval, its owner, those who work on its channel, and moderators. Every read on behalf
 * of a viewer uses this condition, `isListed` or `isOnChannel`. Search reads the same decision from `video_search.is_public`.
 */
export function isVisible(viewerId: ViewerId | ShareVisit, table = 'v'): RawBuilder<boolean> {
  const visibility = sql.ref(`${table}.visibility`)
  const held = sql.ref(`${table}.held_visibility`)
  const isForAll = sql`${visibility} in ('public', 'unlisted')`
  if (viewerId === null) return sql<boolean>`${isNotTakenDown(table)} and ${isForAll}`
  // an announced stream is private, and has nothing to see for anybody
  const isThere = sql`${isNotTakenDown(table)} and ${sql.ref(`${table}.announced_visibility`)} is null`
  if (isShareVisit(viewerId))
    return sql<boolean>`${isThere} and (${isForAll} or (${held} is null and ${isOpenedBy(viewerId, table)}))`
  return sql<boolean>`${isThere} and (
    ${isForAll} or ${visibility} = 'members' or ${sql.ref(`${table}.owner_id`)} = ${viewerId}
    or (${held} is null and exists (
      select from video_viewers named where named.video_id = ${sql.ref(`${table}.id`)} and named.user_id = ${viewerId}
    ))
    or (${held} is not null and exists (
      select from users moderator where moderator.id = ${viewerId} and moderator.role <> 'member'
    ))
    or ${channelRoleOf(viewerId, `${table}.owner_id`)} is not null
  )`
}

/** Whether a share link has not ended. */
export const isLive = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(link.expires_at is null or link.expires_at > ${now}::timestamptz)`

/** Whether the link of a visit is to the video, or to a playlist with it. Owners of playlists share their own videos only. */
function isOpenedBy({ tokenHash, now }: ShareVisit, table: string): RawBuilder<boolean> {
  const [id, owner] = [sql.ref(`${table}.id`), sql.ref(`${table}.owner_id`)]
  return sql<boolean>`exists (
    select from share_visits visit join share_links link on link.id = visit.link_id
    where visit.token_hash = ${tokenHash}::bytea and ${isLive(now)} and (link.video_id = ${id} or exists (
      select from playlists shared join playlist_entries entry on entry.playlist_id = shared.id
      where shared.id = link.playlist_id and shared.owner_id = ${owner} and entry.video_id = ${id}
    ))
  )`
}

/**
 * Whether the video is a premiere that has not begun: everybody may see its title, its poster and its chat, but no byte of it.
 * One that waits for approval is announced to nobody.
 */
export function isUpcomingPremiere(table = 'v'): RawBuilder<boolean> {
  return sql<boolean>`(${isNotTakenDown(table)} and ${sql.ref(`${table}.held_visibility`)} is null
    and ${sql.ref(`${table}.premiere_at`)} = ${sql.ref(`${table}.publish_at`)})`
}

/** Whether the video is a live stream that was announced and has not begun, and a viewer may see that. Its channel may. */
export function isUpcomingStream(viewerId: ViewerId | ShareVisit, table = 'v'): RawBuilder<boolean> {
  const announced = sql.ref(`${table}.announced_visibility`)
  const isShown =
    viewerId === null || isShareVisit(viewerId)
      ? sql`${announced} in ('public', 'unlisted')`
      : sql`${announced} in ('public', 'unlisted', 'members')`
  return sql<boolean>`(${isNotTakenDown(table)} and ${isShown})`
}

/** Whether the video is a premiere or an announced stream that has not begun, and a viewer may see its announcement. */
export function isUpcoming(viewerId: ViewerId | ShareVisit, table = 'v'): RawBuilder<boolean> {
  return sql<boolean>`(${isUpcomingPremiere(table)} or ${isUpcomingStream(viewerId, table)})`
}

/** When a premiere or an announced stream begins or began, for queries with the rows of `isUpcoming`. */
export function startOf(table = 'v'): RawBuilder<Date | null> {
  const [announced, from, premiere] = ['announced_visibility', 'chat_from', 'premiere_at'].map((column) =>
    sql.ref(`${table}.${column}`),
  )
  return sql<Date | null>`case when ${announced} is not null then ${from} else ${premiere} end`
}

/** Whether a viewer may see the title and the poster of the video, and read its chat. */
export function isAnnounced(viewerId: ViewerId | ShareVisit, table = 'v'): RawBuilder<boolean> {
  return sql<boolean>`(${isUpcoming(viewerId, table)} or ${isVisible(viewerId, table)})`
}

export const isShareVisit = (viewer: ViewerId | ShareVisit): viewer is ShareVisit =>
  typeof viewer === 'object' && viewer !== null && 'tokenHash' in viewer

/** Whether share links open the video: it is neither taken down nor waiting for approval. */
export function isShareable(table = 'v'): RawBuilder<boolean> {
  return sql<boolean>`${isNotTakenDown(table)} and ${sql.ref(`${table}.held_visibility`)} is null`
}

/** Whether a channel lists the video for a viewer. Unlisted videos and those that wait for approval are listed for their owner only. */
export function isOnChannel(viewerId: ViewerId, table = 'v'): RawBuilder<boolean> {
  return sql<boolean>`${isVisible(viewerId, table)}
    and ((${sql.ref(`${table}.visibility`)} <> 'unlisted' and ${sql.ref(`${table}.held_visibility`)} is null)
      or ${sql.ref(`${table}.owner_id`)} = ${viewerId})`
}

/** Whether the bytes of the video may be sent to everybody who has their URL. */
export function isVisibleToEverybody(table = 'v'): RawBuilder<boolean> {
  return isVisible(null, table)
}

/** Whether a viewer may see a video. */
export async function mayViewVideo(db: Db, videoId: string, viewer: string | ShareVisit): Promise<boolean> {
  const { rows } = await sql`select from videos v where v.id = ${videoId} and ${isVisible(viewer)}`.execute(
    db,
  )
  return rows.length === 1
}

/** Whether everybody may see the picture of a video that is listed with a lock. */
export async function showsPictureOfLock(db: Db, videoId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from share_links link join videos v on v.id = link.video_id
    where link.video_id = ${videoId} and link.is_listed and link.shows_picture and ${isLive(now)}
      and ${isShareable()} and v.sensitive_reason is null`.execute(db)
  return rows.length > 0
}

/** Whether a viewer may edit a video: its owner, and those who work on its channel. Only they get what was cut of it. */
export async function mayEditVideo(db: Db, videoId: string, viewerId: string): Promise<boolean> {
  const { rows } = await sql`
    select from videos v where v.id = ${videoId} and ${isVisible(viewerId)}
      and (v.owner_id = ${viewerId} or ${channelRoleOf(viewerId, 'v.owner_id')} is not null)`.execute(db)
  return rows.length === 1
}

/** Whether a viewer, null for visitors, may see the poster of a video. A channel sees those of its announced streams, also once these have expired. */
export async function mayViewPoster(
  db: Db,
  videoId: string,
  viewer: string | ShareVisit | null,
): Promise<boolean> {
  const isOwnAnnounced =
    typeof viewer === 'string'
      ? sql`v.announced_visibility is not null and v.owner_id = ${viewer}`
      : sql`false`
  const { rows } = await sql`
    select from videos v where v.id = ${videoId} and (${isAnnounced(viewer)} or ${isOwnAnnounced})`.execute(
    db,
  )
  return rows.length === 1
}

/** Whether the link of a visit is to a video, and allows to download its file. */
export async function mayDownload(db: Db, visit: ShareVisit, videoId: string): Promise<boolean> {
  const { rows } = await sql`
    select from videos v where v.id = ${videoId} and ${isOpenedBy(visit, 'v')} and exists (
      select from share_visits visit join share_links link on link.id = visit.link_id
      where visit.token_hash = ${visit.tokenHash}::bytea and link.allows_download)`.execute(db)
  return rows.length === 1
}

/** Publishes to all web processes, on commit, that a video was deleted or that its visibility changed. */
export async function publishVisibility(db: Db, ...videoIds: string[]): Promise<void> {
  await sql`select ${notify(visibilityChanged.name, sql.ref('id'))} from unnest(${videoIds}::text[]) as id`.execute(
    db,
  )
}
