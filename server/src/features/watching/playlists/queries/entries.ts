import type { Page } from '@kinora/contract/endpoint.ts'
import type { PlaylistEntry } from '@kinora/contract/watching/playlists.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { streamUrlOf, toVideo, videoColumns, type VideoRow } from '../../../videos/videos/queries/videos.ts'
import { isVisible } from '../../../visibility/queries.ts'
import type { ExportedEntry } from '../rules.ts'

/** Selects entries of a playlist: in its own order, or with a seed in random order. */
export interface EntriesRequest {
  playlistId: string
  viewerId: string | null
  shuffle: string | undefined
}

/** The entries that were added last, of videos that visitors may see. */
export async function listLatestEntries(
  db: Db,
  playlistId: string,
  limit: number,
): Promise<{ video: Video; addedAt: Date }[]> {
  const { rows } = await sql<VideoRow & { addedAt: Date }>`
    select ${videoColumns}, e.added_at
    from playlist_entries e join videos v on v.id = e.video_id join users o on o.id = v.owner_id
    where e.playlist_id = ${playlistId} and ${isVisible(null)}
    order by e.added_at desc, e.id desc limit ${limit}`.execute(db)
  return rows.map((row) => ({ video: toVideo(row), addedAt: row.addedAt }))
}

interface EntryRow extends VideoRow {
  entryId: string
  addedAt: Date
  orderKey: string
  isAvailable: boolean
}

const orderKeyOf = (shuffle: string | undefined): RawBuilder<string> =>
  shuffle === undefined ? sql`e.position` : sql`md5(e.id || ${shuffle}::text) collate "C"`

/** The entries of a playlist after `cursor`. Entries whose video is deleted or hidden have no video. */
export async function listEntries(
  db: Db,
  { playlistId, viewerId, shuffle }: EntriesRequest,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Page<PlaylistEntry>> {
  const orderKey = orderKeyOf(shuffle)
  const after = cursor === undefined ? sql`` : sql`and ${orderKey} > ${cursor}`
  const { rows } = await sql<EntryRow>`
    with page as materialized (
      select e.id as entry_id, e.added_at, e.video_id, ${orderKey} as order_key
      from playlist_entries e where e.playlist_id = ${playlistId} ${after}
      order by order_key limit ${limit + 1}
    )
    select page.entry_id, page.added_at, page.order_key, o.id is not null as is_available, ${videoColumns}
    from page left join videos v on v.id = page.video_id and ${isVisible(viewerId)} left join users o on o.id = v.owner_id
    order by page.order_key`.execute(db)
  const shown = rows.slice(0, limit)
  return {
    items: shown.map((row) => ({
      _id: row.entryId,
      addedAt: row.addedAt.toISOString(),
      video: row.isAvailable ? toVideo(row) : null,
    })),
    nextCursor: rows.length > limit ? (shown.at(-1)?.orderKey ?? null) : null,
  }
}

/** Entries for a file, in the order of the playlist; `position` is where the next page begins. */
export async function listExportedEntries(
  db: Db,
  { playlistId, viewerId }: Pick<EntriesRequest, 'playlistId' | 'viewerId'>,
  { after, limit }: { after: string; limit: number },
): Promise<(ExportedEntry & { position: string })[]> {
  type Row = Omit<NonNullable<ExportedEntry['video']>, 'streamUrl'> & {
    addedAt: Date
    position: string
    isAvailable: boolean
  }
  const { rows } = await sql<Row>`
    with page as materialized (
      select e.added_at, e.video_id, e.position from playlist_entries e
      where e.playlist_id = ${playlistId} and e.position > ${after} order by e.position limit ${limit}
    )
    select page.added_at, page.position, o.id is not null as is_available, v.id, v.title, o.username, o.fullname, v.duration_seconds
    from page left join videos v on v.id = page.video_id and ${isVisible(viewerId)} left join users o on o.id = v.owner_id
    order by page.position`.execute(db)
  return rows.map(({ addedAt, position, isAvailable, ...video }) => ({
    addedAt,
    position,
    video: isAvailable ? { ...video, streamUrl: streamUrlOf(video.id) } : null,
  }))
}

/** Where the entry of a video is in an order; undefined when the playlist has none of a video that the viewer may see. */
export async function findEntryOfVideo(
  db: Db,
  { playlistId, viewerId, shuffle }: EntriesRequest,
  videoId: string,
): Promise<{ orderKey: string; index: number } | undefined> {
  const orderKey = orderKeyOf(shuffle)
  const { rows } = await sql<{ orderKey: string; index: number }>`
    with here as (
      select ${orderKey} as order_key from playlist_entries e join videos v on v.id = e.video_id
      where e.playlist_id = ${playlistId} and e.video_id = ${videoId} and ${isVisible(viewerId)}
    )
    select here.order_key,
      (select count(*) from playlist_entries e where e.playlist_id = ${playlistId} and ${orderKey} < here.order_key)
        as index
    from here`.execute(db)
  return rows[0]
}

/** The nearest entry with a visible video before or after a position in an order. */
export async function findNeighbour(
  db: Db,
  { playlistId, viewerId, shuffle }: EntriesRequest,
  orderKeyHere: string,
  direction: 'previous' | 'next',
): Promise<VideoRow | undefined> {
  const orderKey = orderKeyOf(shuffle)
  const beyond =
    direction === 'next' ? sql`${orderKey} > ${orderKeyHere}` : sql`${orderKey} < ${orderKeyHere}`
  const order = direction === 'next' ? sql`${orderKey}` : sql`${orderKey} desc`
  const { rows } = await sql<VideoRow>`
    select ${videoColumns} from playlist_entries e join videos v on v.id = e.video_id join users o on o.id = v.owner_id
    where e.playlist_id = ${playlistId} and ${isVisible(viewerId)} and ${beyond} order by ${order} limit 1`.execute(
    db,
  )
  return rows[0]
}

/** The order key of the entry `distance` positions before another one; undefined if there are fewer. */
export async function findKeyBefore(
  db: Db,
  { playlistId, shuffle }: EntriesRequest,
  orderKeyHere: string,
  distance: number,
): Promise<string | undefined> {
  const orderKey = orderKeyOf(shuffle)
  const { rows } = await sql<{ orderKey: string }>`
    select ${orderKey} as order_key from playlist_entries e
    where e.playlist_id = ${playlistId} and ${orderKey} < ${orderKeyHere}
    order by order_key desc offset ${distance - 1} limit 1`.execute(db)
  return rows[0]?.orderKey
}

export async function listPlaylistsOfVideo(
  db: Db,
  ownerId: string,
  videoId: string,
): Promise<{ playlistId: string; entryId: string }[]> {
  const { rows } = await sql<{ playlistId: string; entryId: string }>`
    select e.playlist_id, e.id as entry_id from playlist_entries e join playlists p on p.id = e.playlist_id
    where e.video_id = ${videoId} and p.owner_id = ${ownerId} order by e.added_at, e.id`.execute(db)
  return rows
}

/** The videos that an account last added to "Watch later", with their entries. */
export async function listSavedForLater(
  db: Db,
  ownerId: string,
  limit: number,
): Promise<{ videoId: string; entryId: string }[]> {
  const { rows } = await sql<{ videoId: string; entryId: string }>`
    select e.video_id, e.id as entry_id from playlist_entries e join playlists p on p.id = e.playlist_id
    where p.owner_id = ${ownerId} and p.is_watch_later and e.video_id is not null
    order by e.added_at desc, e.id desc limit ${limit}`.execute(db)
  return rows
}

/** Whether there is a video that a viewer may see, and so may add. */
export async function hasVideo(db: Db, videoId: string, viewerId: string): Promise<boolean> {
  const { rows } =
    await sql`select from videos v where v.id = ${videoId} and ${isVisible(viewerId)} for key share`.execute(
      db,
    )
  return rows.length === 1
}

export async function findEntryId(db: Db, playlistId: string, videoId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('playlistEntries')
    .select('id')
    .where('playlistId', '=', playlistId)
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  return row?.id
}

/** The position of the last entry; undefined if the playlist is empty. */
export async function findLastPosition(db: Db, playlistId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('playlistEntries')
    .select('position')
    .where('playlistId', '=', playlistId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.position
}

export async function findPosition(db: Db, playlistId: string, entryId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('playlistEntries')
    .select('position')
    .where('playlistId', '=', playlistId)
    .where('id', '=', entryId)
    .executeTakeFirst()
  return row?.position
}

/** The first position after another one, or of all with undefined, that is not that of `movedEntryId`. */
export async function findPositionAfter(
  db: Db,
  playlistId: string,
  position: string | undefined,
  movedEntryId: string,
): Promise<string | undefined> {
  const after = position === undefined ? sql`` : sql`and position > ${position}`
  const { rows } = await sql<{ position: string }>`
    select position from playlist_entries
    where playlist_id = ${playlistId} and id <> ${movedEntryId} ${after} order by position limit 1`.execute(
    db,
  )
  return rows[0]?.position
}

/** Adds an entry. The caller holds the lock of the playlist, as for all functions below. */
export async function insertEntry(
  db: Db,
  entry: { id: string; playlistId: string; videoId: string; position: string },
): Promise<void> {
  await db.insertInto('playlistEntries').values(entry).execute()
  await addToEntriesCount(db, entry.playlistId, 1)
}

/** Removes an entry. Returns whether it existed. */
export async function deleteEntry(db: Db, playlistId: string, entryId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('playlistEntries')
    .where('playlistId', '=', playlistId)
    .where('id', '=', entryId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await addToEntriesCount(db, playlistId, -1)
  return true
}

export async function updatePosition(db: Db, entryId: string, position: string): Promise<void> {
  await db.updateTable('playlistEntries').set({ position }).where('id', '=', entryId).execute()
}

/** Ids of all entries, in order. */
export async function listEntryIds(db: Db, playlistId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('playlistEntries')
    .select('id')
    .where('playlistId', '=', playlistId)
    .orderBy('position')
    .execute()
  return rows.map(({ id }) => id)
}

/** Assigns positions to entries, in the order of both lists. */
export async function updatePositions(db: Db, entryIds: string[], positions: string[]): Promise<void> {
  await sql`
    update playlist_entries e set position = n.position
    from unnest(${entryIds}::text[], ${positions}::text[]) n (id, position) where e.id = n.id`.execute(db)
}

async function addToEntriesCount(db: Db, playlistId: string, difference: 1 | -1): Promise<void> {
  await sql`
    update playlists set entries_count = entries_count + ${difference}, updated_at = clock_timestamp()
    where id = ${playlistId}`.execute(db)
}

/** Adds videos to a playlist with their dates, but not twice. Returns the number of new entries. */
export async function restoreEntries(
  db: Db,
  playlistId: string,
  entries: readonly { id: string; videoId: string; position: string; addedAt: string }[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into playlist_entries (id, playlist_id, video_id, position, added_at)
    select restored.id, ${playlistId}, v.id, restored.position, least(restored.added_at, now())
    from unnest(
      ${entries.map(({ id }) => id)}::text[], ${entries.map(({ videoId }) => videoId)}::text[],
      ${entries.map(({ position }) => position)}::text[], ${entries.map(({ addedAt }) => addedAt)}::timestamptz[]
    ) as restored (id, video_id, position, added_at) join videos v on v.id = restored.video_id
    order by v.id for key share of v
    on conflict (playlist_id, video_id) do nothing`.execute(db)
  const added = Number(numAffectedRows ?? 0n)
  await sql`update playlists set entries_count = entries_count + ${added}::int where id = ${playlistId}`.execute(
    db,
  )
  return added
}

/** The videos of a playlist, visible or not. The caller's transaction holds the lock of the playlist. */
export async function listVideoIds(db: Db, playlistId: string): Promise<string[]> {
  const { rows } = await sql<{ videoId: string | null }>`
    with locked as (select id from playlists where id = ${playlistId} for no key update)
    select e.video_id from playlist_entries e join locked on locked.id = e.playlist_id`.execute(db)
  return rows.flatMap(({ videoId }) => videoId ?? [])
}
