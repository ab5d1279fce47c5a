import type { DetailedOwnVideo, OwnVideo, StudioSort } from '@kinora/contract/videos/studio.ts'
import type { VideoMetadata } from '@kinora/contract/videos/video-metadata.ts'
import type { Visibility } from '@kinora/contract/videos/videos.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import type { ChapterInfo } from '@kinora/media/source/source-info.ts'
import { metadataColumns, toMetadata } from '../videos/queries/metadata.ts'
import { toVideo, videoColumns, videoNotFound, type VideoRow } from '../videos/queries/videos.ts'
import { chaptersOfFile, sourceAddress } from '../videos/rules.ts'
import { isNotLeaving } from '../../visibility/queries.ts'

const [up, down] = [sql`asc`, sql`desc`]
const orders = {
  newest: { by: sql`v.created_at`, direction: down },
  oldest: { by: sql`v.created_at`, direction: up },
  title: { by: sql`lower(v.title)`, direction: up },
  views: {
    by: sql`v.views + coalesce((select sum(p.views) from pending_views p where p.video_id = v.id), 0)`,
    direction: down,
  },
  likes: { by: sql`v.likes_count`, direction: down },
} satisfies Record<StudioSort, unknown>

type OwnVideoRow = VideoRow & VideoMetadata

const toOwnVideo = (row: OwnVideoRow): OwnVideo => ({
  ...toVideo(row),
  ...toMetadata(row),
  publishAt: row.publishAt?.toISOString() ?? null,
})

const uncutAddress = ({ id, sourceKey, container }: OwnVideoRow) =>
  sourceAddress(sourceKey, container).replace(`/${id}/`, `/${id}/uncut/`)

export interface StudioFilter {
  text?: string | undefined
  visibility?: Visibility | undefined
  sort?: StudioSort | undefined
  offset?: number | undefined
  limit?: number | undefined
}

/** The videos of an owner, and how many there are on all pages. */
export async function listVideosOf(
  db: Db,
  ownerId: string,
  { text = '', visibility, sort = 'newest', offset = 0, limit = 50 }: StudioFilter,
): Promise<{ videos: OwnVideo[]; total: number }> {
  const isOfVisibility = visibility ? sql`and v.visibility = ${visibility}` : sql``
  const isFound = text ? sql`and strpos(lower(v.title), lower(${text})) > 0` : sql``
  const where = sql`v.owner_id = ${ownerId} and v.announced_visibility is null ${isOfVisibility} ${isFound}`
  const { by, direction } = orders[sort]
  // the columns of a page only: a channel may have very many videos
  const { rows } = await sql<OwnVideoRow>`
    select ${videoColumns}, ${metadataColumns} from (
      select v.id, ${by} as place from videos v where ${where}
      order by place ${direction}, v.id desc limit ${limit} offset ${offset}
    ) page join videos v on v.id = page.id join users o on o.id = v.owner_id
    order by page.place ${direction}, v.id desc`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total from videos v where ${where}`.execute(
    db,
  )
  return { videos: rows.map(toOwnVideo), total: counted.rows[0]?.total ?? 0 }
}

/** A video of an owner. Throws `not_found`. */
export async function getVideoOf(db: Db, ownerId: string, id: string): Promise<DetailedOwnVideo> {
  const { rows } = await sql<
    OwnVideoRow & { chapters: ChapterInfo[] | null; takedownReportId: number | null }
  >`
    select ${videoColumns}, ${metadataColumns}, v.source->'chapters' as chapters,
      case when v.takedown_reason is not null then (
        select r.id from reports r
        where r.owner_id = v.owner_id and r.kind = 'video' and r.subject_id = v.id and r.decision = 'remove'
        order by r.decided_at desc limit 1
      ) end as takedown_report_id
    from videos v join users o on o.id = v.owner_id
    where v.id = ${id} and v.owner_id = ${ownerId} and v.announced_visibility is null`.execute(db)
  const [row] = rows
  if (!row) throw videoNotFound()
  const viewers = await db
    .selectFrom('videoViewers')
    .innerJoin('users', 'users.id', 'videoViewers.userId')
    .select(['users.id', 'users.username', 'users.fullname', 'users.avatar'])
    .where('videoId', '=', id)
    .where(isNotLeaving('users'))
    .orderBy('users.username')
    .execute()
  return {
    ...toOwnVideo(row),
    // those who edit it get the file as it is
    ...(row.cut && { videoFile: uncutAddress(row) }),
    takedownReportId: row.takedownReportId === null ? null : String(row.takedownReportId),
    chaptersOfFile: chaptersOfFile(row, row.chapters),
    viewers: viewers.map(({ id: _id, avatar, ...names }) => ({
      _id,
      ...names,
      avatar: pictureUrl(avatar, pictureDefaultWidth.avatar),
    })),
  }
}
