import { statfs } from 'node:fs/promises'
import type { Context } from '../../../context.ts'
import { listTrackUses } from '../queries.ts'
import { CACHE_PREFIX, chooseEvictions, LAYOUT, type CachedTrack } from '../rules.ts'

type BudgetContext = Pick<Context, 'config' | 'db' | 'storage'>

/** Bytes by which the disk is fuller than it may be; 0 where there is room. */
export async function bytesOverBudget({ config }: Pick<Context, 'config'>): Promise<number> {
  const { blocks, bavail, bsize } = await statfs(config.dataDir)
  const used = (blocks - bavail) * bsize
  return Math.max(0, Math.ceil(used - (blocks * bsize * config.cacheMaxDiskPercent) / 100))
}

/** Deletes made segments, those first that nobody has asked for the longest; sources are never touched. Answers the bytes freed. */
export async function evict(context: BudgetContext, bytesToFree: number): Promise<number> {
  if (bytesToFree <= 0) return 0
  const chosen = chooseEvictions(await listCachedTracks(context), bytesToFree)
  for (const { videoId, track } of chosen) {
    await context.storage.delete(`${CACHE_PREFIX}${videoId}/${LAYOUT}/${track}/`)
  }
  return chosen.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

async function listCachedTracks({ db, storage }: BudgetContext): Promise<CachedTrack[]> {
  const tracks = new Map<string, CachedTrack>()
  for await (const { key, sizeBytes } of storage.list(CACHE_PREFIX)) {
    const [, videoId = '', layout, track = ''] = key.split('/')
    if (layout !== LAYOUT) continue
    const id = `${videoId}/${track}`
    const known = tracks.get(id) ?? { videoId, track, sizeBytes: 0, usedAt: null }
    tracks.set(id, { ...known, sizeBytes: known.sizeBytes + sizeBytes })
  }
  const createdAt = new Map<string, Date>()
  const usedAt = new Map<string, Date>()
  for (const row of await listTrackUses(db)) {
    createdAt.set(row.videoId, row.createdAt)
    if (row.track !== null && row.usedAt !== null) usedAt.set(`${row.videoId}/${row.track}`, row.usedAt)
  }
  // What nobody has asked for yet counts from the upload on; what belongs to no video goes first.
  return [...tracks].map(([id, cached]) => ({
    ...cached,
    usedAt: usedAt.get(id) ?? createdAt.get(cached.videoId) ?? null,
  }))
}
