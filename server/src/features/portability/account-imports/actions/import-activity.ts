import type {
  ArchivedClip,
  ArchivedHistoryEntry,
  ArchivedVideoLike,
} from '@kinora/contract/portability/account-archive.ts'
import { hasVisibleText } from '@kinora/contract/characters.ts'
import { explain } from '@kinora/contract/failure.ts'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { clipsPerAccount } from '@kinora/contract/watching/clip-limits.ts'
import { watchingErrors } from '@kinora/contract/watching/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { storable } from '@kinora/platform/storable.ts'
import type { z } from 'zod'
import { lockUsers } from '../../../accounts/users/queries.ts'
import { listPresentClips, listRemovedClips, restoreClips } from '../../../watching/clips/queries/archives.ts'
import { restoreHistory } from '../../../watching/history/queries.ts'
import { restoreVideoLikes } from '../../../conversation/likes/queries.ts'
import { lockVideos } from '../../../videos/videos/queries/lock-videos.ts'
import { addLikes } from '../../../videos/videos/queries/videos.ts'
import { listOwnVideos } from '../queries.ts'
import { truncate } from '../rules.ts'
import type { ImportRun } from './import-run.ts'
import { resolveItems, updateKeptReferences } from './resolve-items.ts'

export interface ActivityOptions {
  /** Whether exports contain again what is not on this site. */
  keepsUnresolved: boolean
  /** For a list of several files; default: the kind of its items. */
  step?: string
}

/** Imports likes of videos that are on this site. */
export async function importVideoLikes(
  run: ImportRun,
  readLikes: () => Promise<z.infer<typeof ArchivedVideoLike>[]>,
  { keepsUnresolved, step = 'likes of videos' }: ActivityOptions,
): Promise<void> {
  const { report, userId } = run
  await run.step(step, async (transaction) => {
    const kind = 'likes of videos'
    const archived = await readLikes()
    const likes = await resolveItems(run, transaction, archived, {
      kind,
      keptIn: keepsUnresolved ? { file: 'video-likes.json' } : undefined,
      videoOf: ({ video }) => video,
    })
    const locked = new Set(
      await lockVideos(
        transaction,
        likes.map(({ videoId }) => videoId),
      ),
    )
    const added = await restoreVideoLikes(
      transaction,
      userId,
      likes.flatMap(({ videoId, published: createdAt }) =>
        locked.has(videoId) ? [{ videoId, createdAt }] : [],
      ),
    )
    await addLikes(transaction, added)
    report.count(kind, 'imported', added.length)
    report.count(kind, 'present', likes.length - added.length)
  })
}

/**
 * Imports clips of own videos, as far as the limits allow. Those of videos of others are kept for later exports only: their
 * owners decide about clips, titles and people.
 */
export async function importClips(
  run: ImportRun,
  readClips: () => Promise<ArchivedClip[]>,
  { keepsUnresolved, step = 'clips' }: ActivityOptions,
): Promise<void> {
  const { report, userId } = run
  const kind = 'clips'
  await run.step(step, async (transaction) => {
    await lockUsers(transaction, [userId])
    const archived = await readClips()
    const found = (
      await resolveItems(run, transaction, archived, { kind, videoOf: ({ video }) => video })
    ).map((clip) => ({ ...clip, name: clipTitle(run, clip.name) }))
    const present = await listPresentClips(transaction, userId, found)
    const missing = found.filter(({ id }) => !present.has(id))
    const ids = missing.map(({ videoId }) => videoId)
    const own = await listOwnVideos(transaction, userId, ids)
    const removed = await listRemovedClips(
      transaction,
      missing.map(({ id }) => id),
    )
    const restored = missing
      .filter(({ id, videoId, name }) => own.has(videoId) && hasVisibleText(name) && !removed.has(id))
      .map((clip) => ({ ...clip, origin: clip.id, id: newId() }))
    const added = await restoreClips(transaction, userId, restored)
    const resolved = new Set([
      ...present,
      ...restored.flatMap(({ id, origin }) => (added.has(id) ? [origin] : [])),
    ])
    report.count(kind, 'imported', added.size)
    report.count(kind, 'present', found.length - missing.length)
    const limit = explain(watchingErrors.clipLimit, { limit: clipsPerAccount })
    for (const { id, videoId, name, video } of missing) {
      if (resolved.has(id)) continue
      const other = explain(portabilityErrors.otherVideo, { name: video.name ?? video.id })
      const ofOwn = removed.has(id) ? explain(portabilityErrors.clipRemoved) : limit
      report.skip(kind, name, own.has(videoId) ? ofOwn : other)
    }
    if (!keepsUnresolved) return
    await updateKeptReferences(
      run,
      transaction,
      { kind, file: 'clips.json' },
      {
        resolvedKeys: [...resolved],
        missing: archived.flatMap((clip) => (resolved.has(clip.id) ? [] : [{ key: clip.id, content: clip }])),
      },
    )
  })
}

/** The title of an archived clip as forms write it. */
const clipTitle = ({ context }: ImportRun, name: string) =>
  storable(truncate(name, context.config.titleMaxCharacters)).replaceAll(/\s+/gu, ' ').trim()

/** Imports the history where its videos are on this site. */
export async function importHistory(
  run: ImportRun,
  readHistory: () => Promise<z.infer<typeof ArchivedHistoryEntry>[]>,
  { keepsUnresolved, step = 'history' }: ActivityOptions,
): Promise<void> {
  const kind = 'history'
  await run.step(step, async (transaction) => {
    const archived = await readHistory()
    const entries = await resolveItems(run, transaction, archived, {
      kind,
      keptIn: keepsUnresolved ? { file: 'history.json' } : undefined,
      videoOf: ({ video }) => video,
    })
    const added = await restoreHistory(transaction, run.userId, entries)
    run.report.count(kind, 'imported', added)
    run.report.count(kind, 'present', entries.length - added)
  })
}
