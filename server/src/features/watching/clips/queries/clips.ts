import type { Page } from '@kinora/contract/endpoint.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { clipMaxSeconds } from '@kinora/contract/watching/clip-limits.ts'
import type { DetailedClip, ListedClip } from '@kinora/contract/watching/clips.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { type PageRequest, toPage } from '@kinora/platform/db/cursor.ts'
import { clipsAllowed, toVideo, videoColumns, type VideoRow } from '../../../videos/videos/queries/videos.ts'
import { channelRoleOf, isNotLeaving, isVisible } from '../../../visibility/queries.ts'

/** Clips `c` by `m`, with their videos. */
export const clipsOfVideos = sql`clips c join videos v on v.id = c.video_id join users o on o.id = v.owner_id
  join users m on m.id = c.user_id`

const start = sql<number>`time_in_cut(v.cut, c.start_seconds)`
/** At most the end of the video, which may have a shorter file now, and the longest clip, as undoing a cut puts back what it removed. */
const end = sql<number>`
  least(time_in_cut(v.cut, c.end_seconds), v.duration_seconds, ${start} + ${sql.lit(clipMaxSeconds)})`

/** Whether the account of the maker is there. */
const hasMaker = sql<boolean>`(m.suspended_at is null and ${isNotLeaving('m')})`

/**
 * Whether a viewer may see the clip: the video, of which something of the clip remains. Everything that shows a clip
 * uses this condition.
 */
export const isShown = (viewerId: string | null) => sql<boolean>`
  (${isVisible(viewerId)} and ${end} > ${start} and ${hasMaker})`

type ClipRow = VideoRow & {
  clipId: string
  clipTitle: string
  startSeconds: number
  endSeconds: number
  clippedAt: Date
  makerId: string
  makerUsername: string
  makerFullname: string
  makerAvatar: string
}

const columns = sql`${videoColumns}, c.id as clip_id, c.title as clip_title, ${start} as start_seconds, ${end} as end_seconds,
  c.created_at as clipped_at, m.id as maker_id, m.username as maker_username, m.fullname as maker_fullname, m.avatar as maker_avatar`

const toClip = (row: ClipRow) => ({
  _id: row.clipId,
  title: row.clipTitle,
  startSeconds: row.startSeconds,
  endSeconds: row.endSeconds,
  createdAt: row.clippedAt.toISOString(),
  maker: {
    _id: row.makerId,
    username: row.makerUsername,
    fullname: row.makerFullname,
    avatar: pictureUrl(row.makerAvatar, pictureDefaultWidth.avatar),
  },
  video: toVideo(row),
})

/** Whether a viewer who sees the clip may remove it. */
const isRemovableBy = (viewerId: string | null) => sql<boolean>`coalesce(
  ${viewerId}::text in (c.user_id, v.owner_id) or ${channelRoleOf(viewerId, 'v.owner_id')} is not null, false)`

/** A clip that a viewer may see; undefined for others. */
export async function findClip(
  db: Db,
  id: string,
  viewerId: string | null,
): Promise<DetailedClip | undefined> {
  const { rows } = await sql<ClipRow & { mayRemove: boolean }>`
    select ${columns}, ${isRemovableBy(viewerId)} as may_remove
    from ${clipsOfVideos} where c.id = ${id} and ${isShown(viewerId)}`.execute(db)
  const [row] = rows
  return row && { ...toClip(row), isOwn: row.makerId === viewerId, mayRemove: row.mayRemove }
}

/** A clip as its page shows it before scripts run. */
export interface ClipSummary {
  id: string
  videoId: string
  title: string
  seconds: number
  /** Name of the person who made it. */
  maker: string
  /** Whether search engines may list it: its title is one of the owner of the video, or of the team of the site. */
  isIndexed: boolean
}

/** Link preview of a clip, for a viewer who may see it; null for visitors. */
export async function findClipSummary(
  db: Db,
  id: string,
  viewerId: string | null = null,
): Promise<ClipSummary | undefined> {
  const { rows } = await sql<ClipSummary>`
    select c.id, c.video_id, c.title, ${end} - ${start} as seconds, m.fullname as maker,
      m.id = v.owner_id or m.role <> 'member' as is_indexed
    from ${clipsOfVideos} where c.id = ${id} and ${isShown(viewerId)}`.execute(db)
  return rows[0]
}

/** Clips that match a condition, newest first, with the videos that a viewer may see. */
async function listClips(
  db: Db,
  condition: RawBuilder<boolean>,
  viewerId: string,
  { cursor, limit }: PageRequest,
): Promise<Page<ListedClip>> {
  const after = cursor
    ? sql`and (c.created_at, c.id) < (${cursor.at}::timestamptz, ${cursor.id}::text)`
    : sql``
  const { rows } = await sql<ClipRow & { isVideoShown: boolean }>`
    select ${columns}, ${isVisible(viewerId)} as is_video_shown from ${clipsOfVideos}
    where ${condition} ${after} order by c.created_at desc, c.id desc limit ${limit + 1}`.execute(db)
  return toPage(rows, limit, toListedClip, (row) => ({ at: row.clippedAt.toISOString(), id: row.clipId }))
}

function toListedClip(row: ClipRow & { isVideoShown: boolean }): ListedClip {
  const clip = toClip(row)
  const isPlayable = row.isVideoShown && row.endSeconds > row.startSeconds
  return {
    ...clip,
    ...(!isPlayable && { startSeconds: null, endSeconds: null }),
    ...(!row.isVideoShown && { video: null }),
  }
}

/** Clips of an account. */
export const listClipsBy = (db: Db, userId: string, page: PageRequest) =>
  listClips(db, sql<boolean>`c.user_id = ${userId}`, userId, page)

/** Clips of the videos of a channel. */
export const listClipsOfChannel = (db: Db, channelId: string, page: PageRequest) =>
  listClips(db, sql<boolean>`c.channel_id = ${channelId} and ${hasMaker}`, channelId, page)

/**
 * Facts about a video and a person who wants to make a clip of it; undefined where they may not see it. The lock waits for a cut
 * that is being published, since the times of the clip are mapped by it.
 */
export async function findClipFacts(
  db: Db,
  videoId: string,
  userId: string,
): Promise<{ areAllowed: boolean; durationSeconds: number; ofAccount: number; ofVideo: number } | undefined> {
  const { rows } = await sql<NonNullable<Awaited<ReturnType<typeof findClipFacts>>>>`
    select v.owner_id = ${userId} or ${clipsAllowed} as are_allowed, v.duration_seconds,
      (select count(*) from clips where user_id = ${userId}) as of_account,
      (select count(*) from clips where user_id = ${userId} and video_id = v.id) as of_video
    from videos v join users o on o.id = v.owner_id
    where v.id = ${videoId} and ${isVisible(userId)} for share of v`.execute(db)
  return rows[0]
}

export interface NewClip {
  id: string
  videoId: string
  userId: string
  title: string
  startSeconds: number
  endSeconds: number
  createdAt: Date
}

/** At a join, `time_in_file` returns where the video continues; a little before it, where it was interrupted. */
const beforeJoin = sql.lit(0.001)

/** Adds a clip with times as viewers see them. The caller has locked the video. */
export async function insertClip(db: Db, clip: NewClip): Promise<void> {
  const { id, videoId, userId, title, startSeconds, endSeconds, createdAt } = clip
  await sql`
    insert into clips (id, video_id, user_id, title, start_seconds, end_seconds, created_at)
    select ${id}, v.id, ${userId}, ${title}, time_in_file(v.cut, ${startSeconds}::float8),
      time_in_file(v.cut, ${endSeconds}::float8 - ${beforeJoin}) + ${beforeJoin}, ${createdAt}::timestamptz
    from videos v where v.id = ${videoId}`.execute(db)
}

/** Changes the title of a clip that its maker may see. Returns whether there is one. */
export async function updateTitle(
  db: Db,
  { clipId, userId, title }: { clipId: string; userId: string; title: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('clips')
    .set({ title })
    .where('id', '=', clipId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The people that the removal of a clip concerns. Those who may remove it may also while the video is hidden from them. */
export async function findRights(
  db: Db,
  clipId: string,
  viewerId: string,
): Promise<
  { videoId: string; ownerId: string; makerId: string; isVisible: boolean; mayRemove: boolean } | undefined
> {
  const { rows } = await sql<NonNullable<Awaited<ReturnType<typeof findRights>>>>`
    select c.video_id, v.owner_id, c.user_id as maker_id, ${isVisible(viewerId)} as is_visible,
      ${isRemovableBy(viewerId)} as may_remove
    from ${clipsOfVideos} where c.id = ${clipId} for update of c`.execute(db)
  return rows[0]
}

export interface DeletedClip {
  id: string
  title: string
  makerId: string
}

/** Deletes clips. Returns those that existed. */
export async function deleteClips(db: Db, ids: readonly string[]): Promise<DeletedClip[]> {
  const { rows } = await sql<DeletedClip>`
    delete from clips where id = any(${ids}::text[]) returning id, title, user_id as maker_id`.execute(db)
  return rows
}
