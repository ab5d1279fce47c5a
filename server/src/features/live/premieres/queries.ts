import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import type { Premiere } from '@kinora/contract/live/premieres.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { isAnnounced, startOf } from '../../visibility/queries.ts'
import { videoNotFound } from '../../videos/videos/queries/videos.ts'

/** Columns of `announcedVideoOf`, for a video `v` of an owner `o`. */
export const announcedColumns = (viewerId: string | null) => sql`
  v.id, v.title, v.thumbnail, v.sensitive_reason,
  exists (select from video_reminders r where r.video_id = v.id and r.user_id = ${viewerId}) as is_reminded,
  o.id as owner_id, o.username, o.fullname, o.avatar`

export interface AnnouncedRow {
  id: string
  title: string
  thumbnail: string
  sensitiveReason: string | null
  startsAt: Date
  isReminded: boolean
  ownerId: string
  username: string
  fullname: string
  avatar: string
}

/** The public part of a premiere or an announced stream. */
export const announcedVideoOf = (row: AnnouncedRow) => ({
  _id: row.id,
  title: row.title,
  thumbnail: pictureUrl(row.thumbnail, pictureDefaultWidth.thumbnail),
  videoOwner: {
    _id: row.ownerId,
    username: row.username,
    fullname: row.fullname,
    avatar: pictureUrl(row.avatar, pictureDefaultWidth.avatar),
  },
  ...(row.sensitiveReason !== null && { sensitive: { reason: row.sensitiveReason } }),
  startsAt: row.startsAt.toISOString(),
  isReminded: row.isReminded,
})

interface PremiereRow extends AnnouncedRow {
  isStream: boolean
  hasChat: boolean
}

/** The announcement of a premiere, which everybody may see until it begins, or of a live stream. Throws `not_found`. */
export async function getPremiere(
  db: Db,
  videoId: string,
  viewerId: string | null,
  now: Date,
): Promise<Premiere> {
  const { rows } = await sql<PremiereRow>`
    select ${announcedColumns(viewerId)}, ${startOf()} as starts_at,
      v.announced_visibility is not null as is_stream, v.chat_from is not null as has_chat
    from videos v join users o on o.id = v.owner_id
    where v.id = ${videoId} and ${startOf()} is not null and ${isAnnounced(viewerId)}`.execute(db)
  const [row] = rows
  if (!row) throw videoNotFound()
  return {
    ...announcedVideoOf(row),
    ...(row.isStream && { isStream: true as const }),
    now: now.toISOString(),
    hasChat: row.hasChat,
  }
}
