import type { Page } from '@kinora/contract/endpoint.ts'
import { categoryNames } from '@kinora/contract/videos/labels.ts'
import type { Category } from '@kinora/contract/videos/video-metadata.ts'
import { popularAmong, type Video } from '@kinora/contract/videos/videos.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { type PageRequest, toPage } from '@kinora/platform/db/cursor.ts'
import {
  type Audience,
  isListed,
  isNotLeftOut,
  isOnChannel,
  isUnderstood,
  members,
  visitors,
} from '../../../visibility/queries.ts'
import { type BrowseFilter, hasTag } from './metadata.ts'
import { toVideo, videoColumns, type VideoRow } from './videos.ts'

/** All videos, newest first. */
export function listVideos(db: Db, page: PageRequest, audience: Audience = visitors): Promise<Page<Video>> {
  const after = page.cursor
    ? sql`and (v.created_at, v.id) < (${page.cursor.at}::timestamptz, ${page.cursor.id})`
    : sql``
  return listNewest(db, sql`where ${isListed(audience)} and ${isUnderstood(audience)} ${after}`, page.limit)
}

/** Listed videos with a tag, or of a category, newest first. */
export async function listMatchingVideos(
  db: Db,
  { tag, category }: BrowseFilter,
  page: PageRequest,
  audience: Audience = visitors,
): Promise<Page<Video>> {
  const after = page.cursor
    ? sql`and (v.created_at, v.id) < (${page.cursor.at}::timestamptz, ${page.cursor.id})`
    : sql``
  const ofCategory = category === undefined ? sql`` : sql`and v.category = ${category}`
  const where = sql`where ${isListed(audience)} ${after} ${ofCategory}`
  if (tag === undefined) return listNewest(db, where, page.limit)
  const found = (await isCommon(db, tag))
    ? // `offset 0` keeps the planner from sorting all that the index of tags finds; few descriptions have a hashtag
      sql`(
        select * from (select * from videos v ${where} order by v.created_at desc, v.id desc offset 0) v
        where (v.tags @> array[${tag}::text] or strpos(v.description, '#') > 0) and ${hasTag(tag)}
      )`
    : // read before it is sorted, so that the planner does not walk all videos from the newest
      sql`materialized (select v.id, v.created_at from videos v ${where} and ${hasTag(tag)})`
  const { rows } = await sql<VideoRow>`
    with found as ${found},
    page as (select v.id from found v order by v.created_at desc, v.id desc limit ${page.limit + 1})
    select ${videoColumns} from page join videos v on v.id = page.id join users o on o.id = v.owner_id
    order by v.created_at desc, v.id desc`.execute(db)
  return toVideoPage(rows, page.limit)
}

/** The most watched of the newest videos. */
export async function listPopularVideos(
  db: Db,
  limit: number,
  audience: Audience = visitors,
): Promise<Video[]> {
  const { rows } = await sql<VideoRow>`
    with newest as (
      select v.id, v.views from videos v where ${isListed(audience)} and ${isUnderstood(audience)}
      order by v.created_at desc, v.id desc limit ${popularAmong}::int
    ), page as (select id, views from newest order by views desc, id limit ${limit}::int)
    select ${videoColumns} from page join videos v on v.id = page.id join users o on o.id = v.owner_id
    order by page.views desc, page.id`.execute(db)
  return rows.map(toVideo)
}

/** The categories of listed videos, in the order of the contract. */
export async function listCategories(db: Db, audience: Audience = visitors): Promise<Category[]> {
  const { rows } = await sql<{ category: Category }>`
    select category from unnest(${[...categoryNames]}::text[]) with ordinality known (category, place)
    where exists (select from videos v where v.category = known.category and ${isListed(audience)})
    order by place`.execute(db)
  return rows.map(({ category }) => category)
}

/** Up to so many videos of a tag are all read and sorted. */
const fewTagged = 2000

/** Whether more videos have the tag. The planner cannot know: it assumes the same number for every tag. */
async function isCommon(db: Db, tag: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from (
      select from videos v where ${isListed(members)} and ${hasTag(tag)} limit ${sql.lit(fewTagged + 1)}
    ) tagged`.execute(db)
  return rows.some(({ count }) => count > fewTagged)
}

/** The videos of a channel that a viewer may see, newest first; or all of them, for its owner's dashboard. */
export function listChannelVideos(
  db: Db,
  ownerId: string,
  page: PageRequest,
  viewer: { id: string | null } | 'dashboard',
  audience: Audience = visitors,
): Promise<Page<Video>> {
  const after = page.cursor
    ? sql`and (v.created_at, v.id) < (${page.cursor.at}::timestamptz, ${page.cursor.id})`
    : sql``
  const visible =
    viewer === 'dashboard' ? sql`` : sql`and ${isOnChannel(viewer.id)} and ${isNotLeftOut(audience)}`
  return listNewest(db, sql`where v.owner_id = ${ownerId} ${visible} ${after}`, page.limit)
}

async function listNewest(db: Db, where: RawBuilder<unknown>, limit: number): Promise<Page<Video>> {
  const { rows } = await sql<VideoRow>`
    select ${videoColumns} from videos v join users o on o.id = v.owner_id ${where}
    order by v.created_at desc, v.id desc limit ${limit + 1}`.execute(db)
  return toVideoPage(rows, limit)
}

function toVideoPage(rows: VideoRow[], limit: number): Page<Video> {
  return toPage(rows, limit, toVideo, (row) => ({ at: row.createdAt.toISOString(), id: row.id }))
}
