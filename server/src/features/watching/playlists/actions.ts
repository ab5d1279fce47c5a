import { watchingErrors } from '@kinora/contract/watching/errors.ts'
import {
  type DetailedPlaylist,
  playlistMaxEntries,
  playlistsPerAccount,
  type PlaylistVisibility,
} from '@kinora/contract/watching/playlists.ts'
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import type { Db } from '../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { deleteReferencesOfList } from '../../videos/imported-references/queries.ts'
import { lockUsers } from '../../accounts/users/queries.ts'
import { videoNotFound } from '../../videos/videos/queries/videos.ts'
import * as playlistQueries from './queries/playlists.ts'
import * as entryQueries from './queries/entries.ts'

/**
 * Position keys grow by a character for every few entries that are inserted at the same position. Beyond this length
 * all entries of the playlist get new keys.
 */
const positionMaxLength = 40

export const playlistNotFound = () => new AppError(watchingErrors.playlistNotFound)
const tooManyPlaylists = () => new AppError(watchingErrors.playlistLimit, { limit: playlistsPerAccount })
const entryNotFound = () => new AppError(watchingErrors.entryNotFound)

/** Creates a playlist. Throws `conflict` if the account has reached its limit. */
export async function createPlaylist(
  db: Db,
  ownerId: string,
  texts: { title: string; description?: string | undefined; visibility: PlaylistVisibility },
): Promise<DetailedPlaylist> {
  const id = newId()
  await db.transaction().execute(async (transaction) => {
    await lockUsers(transaction, [ownerId])
    if ((await playlistQueries.countPlaylists(transaction, ownerId)) >= playlistsPerAccount) {
      throw tooManyPlaylists()
    }
    await playlistQueries.insertPlaylist(transaction, {
      ...texts,
      id,
      ownerId,
      description: texts.description ?? '',
    })
  })
  return getPlaylist(db, id, ownerId)
}

/** A playlist that the viewer may see. Throws `not_found`. */
export async function getPlaylist(db: Db, id: string, viewerId: string | null): Promise<DetailedPlaylist> {
  const playlist = await playlistQueries.findPlaylist(db, id, viewerId)
  if (!playlist) throw playlistNotFound()
  return playlist
}

/** Changes texts or visibility of an own playlist. Throws for Watch later, which has neither. */
export async function changePlaylist(
  db: Db,
  id: string,
  userId: string,
  changes: Parameters<typeof playlistQueries.updatePlaylist>[2],
): Promise<DetailedPlaylist> {
  await inOwnPlaylist(db, id, userId, async (transaction, { isWatchLater }) => {
    if (isWatchLater) throw new AppError(watchingErrors.watchLaterFixed)
    await playlistQueries.updatePlaylist(transaction, id, changes)
  })
  return getPlaylist(db, id, userId)
}

export async function deletePlaylist(db: Db, id: string, userId: string): Promise<void> {
  await inOwnPlaylist(db, id, userId, async (transaction, { isWatchLater }) => {
    if (isWatchLater) throw new AppError(watchingErrors.watchLaterStays)
    await playlistQueries.deletePlaylist(transaction, id)
    await deleteReferencesOfList(transaction, userId, { file: 'playlists.json', list: id })
  })
}

/** Adds a video at the end, unless the playlist contains it. Returns the id of its entry. */
export async function addVideo(db: Db, id: string, userId: string, videoId: string): Promise<string> {
  return inOwnPlaylist(db, id, userId, async (transaction, { entriesCount }) => {
    const present = await entryQueries.findEntryId(transaction, id, videoId)
    if (present !== undefined) return present
    if (!(await entryQueries.hasVideo(transaction, videoId, userId))) throw videoNotFound()
    if (entriesCount >= playlistMaxEntries) {
      throw new AppError(watchingErrors.playlistFull, { limit: playlistMaxEntries })
    }
    const last = await entryQueries.findLastPosition(transaction, id)
    const position = generateKeyBetween(last ?? null, null)
    const entryId = newId()
    await entryQueries.insertEntry(transaction, { id: entryId, playlistId: id, videoId, position })
    await shortenPositions(transaction, id, position)
    return entryId
  })
}

export async function removeEntry(db: Db, id: string, userId: string, entryId: string): Promise<void> {
  await inOwnPlaylist(db, id, userId, async (transaction) => {
    if (!(await entryQueries.deleteEntry(transaction, id, entryId))) throw entryNotFound()
  })
}

/** Moves an entry after another one, with null to the top, with undefined to the end. */
export async function moveEntry(
  db: Db,
  id: string,
  userId: string,
  { entryId, afterEntryId }: { entryId: string; afterEntryId?: string | null | undefined },
): Promise<void> {
  await inOwnPlaylist(db, id, userId, async (transaction) => {
    if (entryId === afterEntryId) return
    const present = await entryQueries.findPosition(transaction, id, entryId)
    if (present === undefined) throw entryNotFound()
    const before = await findPositionBefore(transaction, id, afterEntryId)
    const after = await entryQueries.findPositionAfter(transaction, id, before, entryId)
    const position = generateKeyBetween(before ?? null, after ?? null)
    await entryQueries.updatePosition(transaction, entryId, position)
    await shortenPositions(transaction, id, position)
  })
}

/** The position after which an entry is moved, as for `moveEntry`; undefined for the top. */
async function findPositionBefore(
  db: Db,
  id: string,
  afterEntryId: string | null | undefined,
): Promise<string | undefined> {
  if (afterEntryId === null) return undefined
  if (afterEntryId === undefined) return entryQueries.findLastPosition(db, id)
  const position = await entryQueries.findPosition(db, id, afterEntryId)
  if (position === undefined) throw entryNotFound()
  return position
}

/** Replaces the positions of all entries of a playlist by short ones if a new position is too long. */
async function shortenPositions(db: Db, id: string, position: string): Promise<void> {
  if (position.length <= positionMaxLength) return
  const entryIds = await entryQueries.listEntryIds(db, id)
  await entryQueries.updatePositions(db, entryIds, generateNKeysBetween(null, null, entryIds.length))
}

/** Runs a change under the lock of the playlist. Throws `not_found` for private playlists of others. */
export async function inOwnPlaylist<Result>(
  db: Db,
  id: string,
  userId: string,
  change: (
    transaction: Db,
    playlist: NonNullable<Awaited<ReturnType<typeof playlistQueries.lockPlaylist>>>,
  ) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    const playlist = await playlistQueries.lockPlaylist(transaction, id, userId)
    if (!playlist) throw playlistNotFound()
    if (playlist.ownerId !== userId) throw new AppError(watchingErrors.playlistNotYours)
    return change(transaction, playlist)
  })
}

/**
 * Adds an imported playlist with its dates in the caller's transaction, or returns the Watch later of the account. Returns
 * the id. Throws `conflict` if the account has reached its limit.
 */
export async function addPlaylist(
  db: Db,
  ownerId: string,
  {
    isWatchLater,
    ...playlist
  }: Omit<Parameters<typeof playlistQueries.restorePlaylist>[1], 'id' | 'ownerId'> & {
    isWatchLater: boolean
  },
): Promise<string> {
  const id = newId()
  if (isWatchLater) return playlistQueries.ensureWatchLater(db, ownerId, id)
  await lockUsers(db, [ownerId])
  if ((await playlistQueries.countPlaylists(db, ownerId)) >= playlistsPerAccount) throw tooManyPlaylists()
  await playlistQueries.restorePlaylist(db, { ...playlist, id, ownerId })
  return id
}

/**
 * Adds visible videos to the end of an own playlist in the caller's transaction, as many as it holds, and each of them once.
 * Returns the number of new entries.
 */
export async function addEntries(
  db: Db,
  id: string,
  entries: readonly { videoId: string; addedAt: string }[],
): Promise<number> {
  const present = new Set(await entryQueries.listVideoIds(db, id))
  const added = new Map(
    entries.filter(({ videoId }) => !present.has(videoId)).map((entry) => [entry.videoId, entry]),
  )
  const fitting = [...added.values()].slice(0, Math.max(0, playlistMaxEntries - present.size))
  const last = await entryQueries.findLastPosition(db, id)
  const positions = generateNKeysBetween(last ?? null, null, fitting.length)
  return entryQueries.restoreEntries(
    db,
    id,
    fitting.map(({ videoId, addedAt }, at) => ({
      id: newId(),
      videoId,
      addedAt,
      position: positions[at] ?? '',
    })),
  )
}
