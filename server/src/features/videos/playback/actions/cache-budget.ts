import { statfs } from 'node:fs/promises'
import type { Context } from '../../../../context/context.ts'
import type { Storage } from '@kinora/platform/storage/storage.ts'
import { listTrackUses } from '../queries.ts'
import { chooseEvictions, type CachedTrack, LIVE_FOLDER } from '../rules.ts'
import { listOwn, storagePrefixes } from '../../../../context/storage-keys.ts'

type BudgetContext = Pick<Context, 'clock' | 'db' | 'storage'>

/** Bytes by which the disk or the cached segments exceed their limit; 0 if they do not. */
export async function bytesOverBudget(context: Pick<Context, 'config' | 'storage'>): Promise<number> {
  const { storageUrl, cacheMaxBytes } = context.config
  return Math.max(
    storageUrl === undefined ? await bytesOverDisk(context) : 0,
    cacheMaxBytes === undefined ? 0 : (await cachedBytes(context.storage)) - cacheMaxBytes,
    0,
  )
}

async function bytesOverDisk({ config }: Pick<Context, 'config'>): Promise<number> {
  const { blocks, bfree, bavail, bsize } = await statfs(config.dataDir)
  // as `df` computes it: blocks reserved for root do not count as used
  const used = (blocks - bfree) * bsize
  return Math.ceil(used - ((used + bavail * bsize) * config.cacheMaxDiskPercent) / 100)
}

/** Counting a large cache takes time, and costs money in some stores: at most a fiftieth of the time is spent on it. */
const restPerCount = 50
const counted = new WeakMap<Storage, { bytes: number; until: number }>()

async function cachedBytes(storage: Storage): Promise<number> {
  const known = counted.get(storage)
  if (known && performance.now() < known.until) return known.bytes
  const startedAt = performance.now()
  let bytes = 0
  for await (const { sizeBytes } of listOwn(storage, storagePrefixes.segments)) bytes += sizeBytes
  const now = performance.now()
  counted.set(storage, { bytes, until: now + (now - startedAt) * restPerCount })
  return bytes
}

/**
 * Evicts cached segments, least recently used first. Never deletes sources or what is being watched. Ends early
 * once the signal is aborted. Returns the freed bytes.
 */
export async function evict(
  context: BudgetContext,
  bytesToFree: number,
  signal: AbortSignal,
): Promise<number> {
  if (bytesToFree <= 0) return 0
  counted.delete(context.storage)
  const chosen = chooseEvictions(await listCachedTracks(context), bytesToFree, context.clock.now())
  let freedBytes = 0
  for (const { videoId, folder, track, sizeBytes } of chosen) {
    if (signal.aborted) break
    await context.storage.delete(`${storagePrefixes.segments}${videoId}/${folder}/${track}/`)
    freedBytes += sizeBytes
  }
  return freedBytes
}

async function listCachedTracks({ db, storage }: Pick<Context, 'db' | 'storage'>): Promise<CachedTrack[]> {
  const tracks = new Map<string, Omit<CachedTrack, 'usedAt' | 'wasRequested'>>()
  for await (const { key, sizeBytes } of listOwn(storage, storagePrefixes.segments)) {
    const [, videoId = '', folder = '', track = ''] = key.split('/')
    const id = `${videoId}/${folder}/${track}`
    const known = tracks.get(id)
    tracks.set(id, { videoId, folder, track, sizeBytes: (known?.sizeBytes ?? 0) + sizeBytes })
  }
  const createdAt = new Map<string, Date>()
  const liveIds = new Set<string>()
  const usedAt = new Map<string, Date>()
  const cachedVideos = new Set(Array.from(tracks.values(), ({ videoId }) => videoId))
  for (const row of await listTrackUses(db, [...cachedVideos])) {
    createdAt.set(row.videoId, row.createdAt)
    if (row.isLive) liveIds.add(row.videoId)
    if (row.track !== null && row.usedAt !== null) usedAt.set(`${row.videoId}/${row.track}`, row.usedAt)
  }
  // A track that was never requested counts from its upload. Tracks of deleted videos count as never used.
  // parts of a stream that runs are being watched
  const evictable = [...tracks.values()].filter(
    ({ videoId, folder }) => folder !== LIVE_FOLDER || !liveIds.has(videoId),
  )
  return evictable.map((cached) => {
    const requestedAt = usedAt.get(`${cached.videoId}/${cached.track}`)
    return {
      ...cached,
      usedAt: requestedAt ?? createdAt.get(cached.videoId) ?? null,
      wasRequested: requestedAt !== undefined,
    }
  })
}
