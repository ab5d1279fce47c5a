import type {
  ArchivedClip,
  ArchivedHistoryEntry,
  ArchivedVideoLike,
} from '@kinora/contract/portability/account-archive.ts'
import type { z } from 'zod'
import { restoreClips } from '../../../watching/clips/queries.ts'
import { restoreHistory } from '../../../watching/history/queries.ts'
import { restoreVideoLikes } from '../../../conversation/likes/queries.ts'
import * as videos from '../../../videos/videos/queries/videos.ts'
import type { ImportRun } from './import-run.ts'
import { resolveItems } from './resolve-items.ts'

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
      await videos.lockVideos(
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
    await videos.addLikes(transaction, added)
    report.count(kind, 'imported', added.length)
    report.count(kind, 'present', likes.length - added.length)
  })
}

/** Imports clips of videos that are on this site, and of which the account may make clips. */
export async function importClips(
  run: ImportRun,
  readClips: () => Promise<ArchivedClip[]>,
  { keepsUnresolved, step = 'clips' }: ActivityOptions,
): Promise<void> {
  const kind = 'clips'
  await run.step(step, async (transaction) => {
    const archived = await readClips()
    const clips = await resolveItems(run, transaction, archived, {
      kind,
      keptIn: keepsUnresolved ? { file: 'clips.json' } : undefined,
      videoOf: ({ video }) => video,
      keyOf: ({ id }) => id,
    })
    const added = await restoreClips(transaction, run.userId, clips)
    run.report.count(kind, 'imported', added)
    run.report.count(kind, 'present', clips.length - added)
  })
}

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
