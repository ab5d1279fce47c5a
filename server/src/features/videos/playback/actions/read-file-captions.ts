import { text } from 'node:stream/consumers'
import type { Context } from '../../../../context/context.ts'
import { planPresentation } from '@kinora/media/plan/hls.ts'
import { isConnectionLost } from '@kinora/platform/db/errors/connection-lost.ts'
import { isDiskFull } from '@kinora/platform/files/disk-full.ts'
import { isStorageFailure } from '@kinora/platform/storage/storage.ts'
import { type FileCaptions, listUnreadFileCaptions, putFileCaptions } from '../../captions/queries.ts'
import { getPlayable } from '../queries.ts'
import { CAPTIONS, fileOf, segmentKey } from '../rules.ts'
import { readCaptions } from './encode-segments.ts'

/**
 * Extracts up to `limit` tracks of captions from the files of videos, so that a search finds what is said in them. Throws the
 * first failure of the storage at the end: a file that cannot be read holds up no other.
 */
export async function readFileCaptions(context: Context, limit: number, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  const failed = new Set<string>()
  for (const track of await listUnreadFileCaptions(context.db, limit)) {
    // Tracks come last to first, and the first one marks the video as read: after a failure, it must wait.
    if (failed.has(track.videoId)) continue
    try {
      await putFileCaptions(context.db, track, await contentOf(context, track, signal))
    } catch (error) {
      signal.throwIfAborted()
      if (isConnectionLost(error) || isDiskFull(error)) throw error
      // A later run repeats it. Other captions stay unreadable.
      if (isStorageFailure(error)) {
        failures.push(error)
        failed.add(track.videoId)
      } else await putUnreadable(context, track, error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function putUnreadable({ db, log }: Context, track: FileCaptions, error: unknown): Promise<void> {
  log.warn({ err: error, ...track }, 'captions unreadable')
  await putFileCaptions(db, track, '')
}

/** The captions as the player shows them, if somebody has chosen them before; else extracted from the file. */
async function contentOf(
  context: Context,
  { videoId, fileTrack }: FileCaptions,
  signal: AbortSignal,
): Promise<string> {
  const video = await getPlayable(context.db, videoId)
  const captions = video.source.captions?.[fileTrack]
  if (!captions) return ''
  const stored = await context.storage.get(segmentKey({ ...fileOf(video), track: CAPTIONS, part: fileTrack }))
  if (stored) return text(stored.body)
  const playing = { ...video, presentation: planPresentation(video.source) }
  return String(await readCaptions({ context, playing, signal, niceness: 15 }, captions))
}
