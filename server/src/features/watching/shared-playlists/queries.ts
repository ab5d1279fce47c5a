import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import type { Page, ResultOf } from '@kinora/contract/endpoint.ts'
import type { getSharedPlaylist } from '@kinora/contract/watching/shared-playlists.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { toVideo, videoColumns, type VideoRow } from '../../videos/videos/queries/videos.ts'
import { isVisible, type ShareVisit } from '../../visibility/queries.ts'

/** A playlist, and how many of its videos a visit may see; undefined after its deletion. */
export async function findSharedPlaylist(
  db: Db,
  playlistId: string,
  visit: ShareVisit,
): Promise<ResultOf<typeof getSharedPlaylist> | undefined> {
  const { rows } = await sql<{
    title: string
    description: string
    ownerId: string
    username: string
    fullname: string
    avatar: string
    videosCount: number
    duration: number
  }>`
    select p.title, p.description, o.id as owner_id, o.username, o.fullname, o.avatar, total.videos_count, total.duration
    from playlists p join users o on o.id = p.owner_id, lateral (
      select count(*) as videos_count, coalesce(sum(v.duration_seconds), 0) as duration
      from playlist_entries e join videos v on v.id = e.video_id where e.playlist_id = p.id and ${isVisible(visit)}
    ) total
    where p.id = ${playlistId}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { ownerId: _id, username, fullname, avatar, ...playlist } = row
  return {
    ...playlist,
    owner: { _id, username, fullname, avatar: pictureUrl(avatar, pictureDefaultWidth.avatar) },
  }
}

/** The entries of a playlist after `cursor` whose videos a visit may see. */
export async function listSharedEntries(
  db: Db,
  playlistId: string,
  visit: ShareVisit,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Page<{ _id: string; video: Video }>> {
  const after = cursor === undefined ? sql`` : sql`and e.position > ${cursor}`
  const { rows } = await sql<VideoRow & { entryId: string; position: string }>`
    select e.id as entry_id, e.position, ${videoColumns}
    from playlist_entries e join videos v on v.id = e.video_id join users o on o.id = v.owner_id
    where e.playlist_id = ${playlistId} and ${isVisible(visit)} ${after}
    order by e.position limit ${limit + 1}`.execute(db)
  const shown = rows.slice(0, limit)
  return {
    items: shown.map((row) => ({ _id: row.entryId, video: toVideo(row) })),
    nextCursor: rows.length > limit ? (shown.at(-1)?.position ?? null) : null,
  }
}
