import type { EmbedPolicy } from '@kinora/contract/videos/embeds.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import type { KeptRange } from '@kinora/media/plan/cut.ts'
import type { ChapterInfo } from '@kinora/media/source/source-info.ts'
import { withLongStatements } from '@kinora/platform/db/pool.ts'
import { embedPolicyOf } from '../../videos/embeds/queries.ts'
import { streamRuns } from '../../videos/videos/queries/live.ts'
import type { VideoRow } from '../../videos/videos/queries/videos.ts'
import {
  type Audience,
  isListed,
  isNotLeaving,
  isUpcoming,
  isVisible,
  visitors,
} from '../../visibility/queries.ts'

export type VideoSummary = Pick<
  VideoRow,
  | 'id'
  | 'title'
  | 'description'
  | 'thumbnail'
  | 'durationSeconds'
  | 'width'
  | 'height'
  | 'views'
  | 'likesCount'
  | 'createdAt'
  | 'visibility'
  | 'premiereAt'
  | 'isLive'
  | 'sensitiveReason'
  | 'ownerUsername'
  | 'ownerFullname'
>

/** The same with what only its own page says. */
export type DetailedVideoSummary = VideoSummary & {
  chapters: ChapterInfo[] | null
  cut: KeptRange[] | null
  descriptionCut: KeptRange[] | null
  /** Sites that may embed it; null for everywhere. */
  embeds: EmbedPolicy | null
  /** Whether it is a stream that runs. */
  isStreaming: boolean
}

export interface ChannelSummary {
  username: string
  fullname: string
  avatar: string
  coverImage: string | null
  /** Of the video that the channel lists first; null if that is sensitive. */
  newestThumbnail: string | null
}

/** Link preview of a video, for a viewer who may see it. */
export async function findVideoSummary(
  db: Db,
  videoId: string,
  viewerId: string | null = null,
): Promise<DetailedVideoSummary | undefined> {
  return videoSummaries(db)
    .select(sql<ChapterInfo[] | null>`videos.source->'chapters'`.as('chapters'))
    .select(sql<KeptRange[] | null>`videos.cut`.as('cut'))
    .select(sql<KeptRange[] | null>`videos.description_cut`.as('descriptionCut'))
    .select(embedPolicyOf('videos').as('embeds'))
    .select(streamRuns('videos').as('isStreaming'))
    .where('videos.id', '=', videoId)
    .where(isVisible(viewerId, 'videos'))
    .executeTakeFirst()
}

/** Link preview of a premiere or an announced stream that has not begun. */
export async function findUpcoming(
  db: Db,
  videoId: string,
): Promise<(VideoSummary & { isUnlisted: boolean }) | undefined> {
  return videoSummaries(db)
    .select(sql<boolean>`coalesce(videos.announced_visibility = 'unlisted', false)`.as('isUnlisted'))
    .where('videos.id', '=', videoId)
    .where(isUpcoming(null, 'videos'))
    .executeTakeFirst()
}

/** The newest videos. */
export async function listVideoSummaries(
  db: Db,
  limit: number,
  audience: Audience = visitors,
): Promise<VideoSummary[]> {
  return videoSummaries(db)
    .where(isListed(audience, 'videos'))
    .orderBy('videos.createdAt', 'desc')
    .orderBy('videos.id', 'desc')
    .limit(limit)
    .execute()
}

/** The oldest video of a file of the site map. */
export interface SitemapStart {
  createdAt: Date
  id: string
}

/** The oldest video of each file of the site map, if each has `perFile` videos, oldest first. Reads the index of all of them. */
export async function listSitemapStarts(
  db: Db,
  perFile: number,
  audience: Audience,
): Promise<SitemapStart[]> {
  const listed = sql`select v.created_at, v.id from videos v where ${isListed(audience)}`
  return withLongStatements(db, async (transaction) => {
    const { rows } = await sql<SitemapStart>`
      with recursive starts as (
        (${listed} order by v.created_at, v.id limit 1)
        union all
        select next.created_at, next.id from starts cross join lateral (
          ${listed} and (v.created_at, v.id) > (starts.created_at, starts.id)
          order by v.created_at, v.id offset ${perFile - 1}::int limit 1
        ) next
      )
      select created_at, id from starts order by created_at, id`.execute(transaction)
    return rows
  })
}

/** Videos for search engines, oldest first, `from` one of them and `before` another. */
export async function listSitemapVideos(
  db: Db,
  { from, before }: { from: SitemapStart | undefined; before: SitemapStart | undefined },
  limit: number,
  audience: Audience,
): Promise<VideoSummary[]> {
  const place = sql`(videos.created_at, videos.id)`
  const isAfter = from
    ? sql<boolean>`${place} >= (${from.createdAt}::timestamptz, ${from.id})`
    : sql.lit(true)
  const isBefore = before
    ? sql<boolean>`${place} < (${before.createdAt}::timestamptz, ${before.id})`
    : sql.lit(true)
  return videoSummaries(db)
    .where(isListed(audience, 'videos'))
    .where(isAfter)
    .where(isBefore)
    .orderBy('videos.createdAt')
    .orderBy('videos.id')
    .limit(limit)
    .execute()
}

function videoSummaries(db: Db) {
  return db
    .selectFrom('videos')
    .innerJoin('users', 'users.id', 'videos.ownerId')
    .select([
      'videos.id',
      'videos.title',
      'videos.description',
      'videos.thumbnail',
      'videos.durationSeconds',
      'videos.width',
      'videos.height',
      'videos.views',
      'videos.likesCount',
      'videos.createdAt',
      'videos.visibility',
      'videos.premiereAt',
      'videos.isLive',
      'videos.sensitiveReason',
      'users.username as ownerUsername',
      'users.fullname as ownerFullname',
    ])
}

/** Link preview of a channel; the username is case-insensitive. */
export async function findChannelSummary(
  db: Db,
  username: string,
  audience: Audience,
): Promise<ChannelSummary | undefined> {
  return db
    .selectFrom('users')
    .select(['username', 'fullname', 'avatar', 'coverImage'])
    .select((expression) =>
      expression
        .selectFrom('videos')
        .select(
          sql<string | null>`case when videos.sensitive_reason is null then videos.thumbnail end`.as(
            'thumbnail',
          ),
        )
        .whereRef('videos.ownerId', '=', 'users.id')
        .where(isListed(audience, 'videos'))
        .orderBy('videos.createdAt', 'desc')
        .orderBy('videos.id', 'desc')
        .limit(1)
        .as('newestThumbnail'),
    )
    .where((expression) => expression.fn('lower', ['username']), '=', username.toLowerCase())
    .where('awaitsApproval', '=', false)
    .where(isNotLeaving('users'))
    .executeTakeFirst()
}
