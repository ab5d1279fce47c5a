import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import type { DetailedPlaylist, Playlist, PlaylistVisibility } from '@kinora/contract/watching/playlists.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isNotLeaving, isVisible } from '../../../visibility/queries.ts'

interface PlaylistRow {
  id: string
  title: string
  description: string
  visibility: PlaylistVisibility
  isWatchLater: boolean
  entriesCount: number
  thumbnail: string | null
  createdAt: Date
  updatedAt: Date
  ownerId: string
  ownerUsername: string
  ownerFullname: string
  ownerAvatar: string
}

function toPlaylist(row: PlaylistRow): Playlist {
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    visibility: row.visibility,
    isWatchLater: row.isWatchLater,
    videosCount: row.entriesCount,
    thumbnail: row.thumbnail === null ? null : pictureUrl(row.thumbnail, pictureDefaultWidth.thumbnail),
    owner: {
      _id: row.ownerId,
      username: row.ownerUsername,
      fullname: row.ownerFullname,
      avatar: pictureUrl(row.ownerAvatar, pictureDefaultWidth.avatar),
    },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** The columns of a playlist as a viewer sees it, for queries of `playlists p join users o on o.id = p.owner_id`. */
const playlistColumns = (viewerId: string | null) => sql`
  p.id, p.title, p.description, p.visibility, p.is_watch_later, p.entries_count, p.created_at, p.updated_at,
  p.owner_id, o.username as owner_username, o.fullname as owner_fullname, o.avatar as owner_avatar,
  (select v.thumbnail from playlist_entries e join videos v on v.id = e.video_id
    where e.playlist_id = p.id and ${isVisible(viewerId)} order by e.position limit 1) as thumbnail`

/** Whether a viewer may see a playlist; null when signed out. Nobody sees those of an account that is being deleted. */
const isShownTo = (viewerId: string | null) =>
  sql<boolean>`(p.visibility in ('public', 'unlisted') or p.owner_id = ${viewerId})
    and not exists (select from users u where u.id = p.owner_id and not ${isNotLeaving()})`

/** Creates the playlist "Watch later" of an account unless it exists. Returns its id. */
export async function ensureWatchLater(db: Db, ownerId: string, newId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with added as (
      insert into playlists (id, owner_id, title, is_watch_later) values (${newId}, ${ownerId}, 'Watch later', true)
      on conflict (owner_id) where is_watch_later do nothing returning id
    )
    select id from added union all select id from playlists where owner_id = ${ownerId} and is_watch_later`.execute(
    db,
  )
  // a row of a transaction that has committed meanwhile is visible to the next statement only
  return rows[0]?.id ?? ensureWatchLater(db, ownerId, newId)
}

export async function listOwnPlaylists(db: Db, ownerId: string): Promise<Playlist[]> {
  const { rows } = await sql<PlaylistRow>`
    select ${playlistColumns(ownerId)} from playlists p join users o on o.id = p.owner_id
    where p.owner_id = ${ownerId}
    order by p.is_watch_later desc, p.updated_at desc, p.id desc`.execute(db)
  return rows.map(toPlaylist)
}

/** The public playlists of a channel, as a viewer sees them. */
export async function listPublicPlaylists(db: Db, ownerId: string, viewerId: string): Promise<Playlist[]> {
  const { rows } = await sql<PlaylistRow>`
    select ${playlistColumns(viewerId)} from playlists p join users o on o.id = p.owner_id
    where p.owner_id = ${ownerId} and p.visibility = 'public'
    order by p.updated_at desc, p.id desc`.execute(db)
  return rows.map(toPlaylist)
}

/** A playlist with its total duration; undefined if there is none that the viewer may see. */
export async function findPlaylist(
  db: Db,
  id: string,
  viewerId: string | null,
): Promise<DetailedPlaylist | undefined> {
  const { rows } = await sql<PlaylistRow & { duration: number; visibleCount: number }>`
    select ${playlistColumns(viewerId)}, total.duration, total.visible_count
    from playlists p join users o on o.id = p.owner_id,
      lateral (
        select coalesce(sum(v.duration_seconds), 0) as duration, count(*) as visible_count
        from playlist_entries e join videos v on v.id = e.video_id
        where e.playlist_id = p.id and ${isVisible(viewerId)}
      ) total
    where p.id = ${id} and ${isShownTo(viewerId)}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  return {
    ...toPlaylist(row),
    duration: row.duration,
    unavailableCount: Math.max(0, row.entriesCount - row.visibleCount),
  }
}

/** Whether there is a playlist that the viewer may see. */
export async function isPlaylistShown(db: Db, id: string, viewerId: string | null): Promise<boolean> {
  const { rows } = await sql`select from playlists p where p.id = ${id} and ${isShownTo(viewerId)}`.execute(
    db,
  )
  return rows.length === 1
}

/** Locks a playlist until the end of the transaction; undefined if there is none that the viewer may see. */
export async function lockPlaylist(
  db: Db,
  id: string,
  viewerId: string,
): Promise<{ ownerId: string; isWatchLater: boolean; entriesCount: number } | undefined> {
  const { rows } = await sql<{ ownerId: string; isWatchLater: boolean; entriesCount: number }>`
    select p.owner_id, p.is_watch_later, p.entries_count from playlists p
    where p.id = ${id} and ${isShownTo(viewerId)} for no key update`.execute(db)
  return rows[0]
}

export async function countPlaylists(db: Db, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('playlists')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('ownerId', '=', ownerId)
    .where('isWatchLater', '=', false)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertPlaylist(
  db: Db,
  playlist: {
    id: string
    ownerId: string
    title: string
    description: string
    visibility: PlaylistVisibility
  },
): Promise<void> {
  await db.insertInto('playlists').values(playlist).execute()
}

/** Undefined fields are not changed. */
export async function updatePlaylist(
  db: Db,
  id: string,
  changes: {
    title?: string | undefined
    description?: string | undefined
    visibility?: PlaylistVisibility | undefined
  },
): Promise<void> {
  await sql`
    update playlists set
      title = coalesce(${changes.title ?? null}, title),
      description = coalesce(${changes.description ?? null}, description),
      visibility = coalesce(${changes.visibility ?? null}, visibility),
      updated_at = clock_timestamp()
    where id = ${id}`.execute(db)
}

export async function deletePlaylist(db: Db, id: string): Promise<void> {
  await db.deleteFrom('playlists').where('id', '=', id).execute()
}

/** Adds an imported playlist with its dates, at most the present one. */
export async function restorePlaylist(
  db: Db,
  playlist: {
    id: string
    ownerId: string
    title: string
    description: string
    visibility: PlaylistVisibility
    createdAt: Date
    updatedAt: Date
  },
): Promise<void> {
  const notAfterNow = (date: Date) => sql<Date>`least(${date}::timestamptz, now())`
  const createdAt = notAfterNow(playlist.createdAt)
  const updatedAt = notAfterNow(playlist.updatedAt)
  await db
    .insertInto('playlists')
    .values({ ...playlist, createdAt, updatedAt })
    .execute()
}
