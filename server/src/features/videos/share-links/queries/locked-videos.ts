import type { Page } from '@kinora/contract/endpoint.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import type { LockedVideo } from '@kinora/contract/videos/share-links.ts'
import { type PageRequest, toPage } from '@kinora/platform/db/cursor.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import {
  type Audience,
  isLive,
  isNotLeftOut,
  isNotMuted,
  isShareable,
  isVisible,
} from '../../../visibility/queries.ts'

/** The viewer of locked videos, at a time. */
interface LockedFor {
  viewerId: string | null
  audience: Audience
  now: Date
}

interface Row {
  id: string
  title: string
  thumbnail: string | null
  createdAt: Date
  ownerId: string
  username: string
  fullname: string
  avatar: string
}

/**
 * Videos of listed links that a viewer may not watch; those who may watch one see it where it is. Nothing but their titles,
 * and pictures that the owner shows, leaves this query.
 */
const lockedVideos = (
  { viewerId, audience, now }: LockedFor,
  where: RawBuilder<unknown>,
  limit: number,
) => sql<Row>`
  select v.id, v.title, case when link.shows_picture and v.sensitive_reason is null then v.thumbnail end as thumbnail,
    v.created_at, o.id as owner_id, o.username, o.fullname, o.avatar
  from share_links link join videos v on v.id = link.video_id join users o on o.id = v.owner_id
  where link.is_listed and ${isLive(now)} and ${isShareable()} and not (${isVisible(null)}) and not (${isVisible(viewerId)})
    and ${isNotMuted(viewerId, 'v.owner_id')} and ${isNotLeftOut(audience)} ${where}
  order by v.created_at desc, v.id desc limit ${limit}`

const toLockedVideo = ({ id, title, thumbnail, ownerId, username, fullname, avatar }: Row): LockedVideo => ({
  _id: id,
  title,
  thumbnail: thumbnail === null ? null : pictureUrl(thumbnail, pictureDefaultWidth.thumbnail),
  videoOwner: { _id: ownerId, username, fullname, avatar: pictureUrl(avatar, pictureDefaultWidth.avatar) },
})

/** Locked videos, of one channel or of all, newest first. */
export async function listLockedVideos(
  db: Db,
  viewer: LockedFor,
  { channelId, page }: { channelId: string | undefined; page: PageRequest },
): Promise<Page<LockedVideo>> {
  const ofChannel = channelId === undefined ? sql`` : sql`and v.owner_id = ${channelId}`
  const after = page.cursor
    ? sql`and (v.created_at, v.id) < (${page.cursor.at}::timestamptz, ${page.cursor.id})`
    : sql``
  const { rows } = await lockedVideos(viewer, sql`${ofChannel} ${after}`, page.limit + 1).execute(db)
  return toPage(rows, page.limit, toLockedVideo, (row) => ({ at: row.createdAt.toISOString(), id: row.id }))
}

export async function findLockedVideo(
  db: Db,
  viewer: LockedFor,
  id: string,
): Promise<LockedVideo | undefined> {
  const { rows } = await lockedVideos(viewer, sql`and v.id = ${id}`, 1).execute(db)
  return rows.map(toLockedVideo)[0]
}
