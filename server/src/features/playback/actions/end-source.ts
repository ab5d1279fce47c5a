import type { Context } from '../../../context.ts'
import { LAYOUT, planPresentation } from '../../../media/hls.ts'
import { endSourceAt } from '../../../media/source-info.ts'
import { findPictureEnd } from '../../../media/trial.ts'
import { shortenSource } from '../../videos/queries.ts'
import { CACHE_PREFIX, findTrack, parsePart, type Playable, STORYBOARD } from '../rules.ts'
import { openSource } from './make-segments.ts'
import type { Playing } from './presentations.ts'

type EndContext = Pick<Context, 'config' | 'db' | 'storage' | 'log'>

/**
 * Looks whether a source that has no picture for segment `missing` has none from some point on. If so, everything ends
 * there from now on: every rung, the sound, the preview pictures. Segments before that point stay what they were, for
 * those who are watching. Answers whether the video became shorter.
 */
export async function endBrokenSource(
  { config, db, storage, log }: EndContext,
  playing: Playing,
  missing: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { id, source, presentation } = playing
  await using file = await openSource({ storage }, playing)
  const tools = { ffmpeg: config.ffmpegPath, ffprobe: config.ffprobePath }
  const trial = { tools, container: source.container, path: file.path, signal }
  const endSeconds = await findPictureEnd(trial, source, presentation.timeline, missing)
  if (endSeconds === undefined) return false
  const shorter = endSourceAt(source, endSeconds)
  if (!(await shortenSource(db, id, shorter))) return false
  log.warn({ videoId: id, durationSeconds: shorter.durationSeconds }, 'source is broken, video ends earlier')
  await deleteEnds({ storage }, id, { source: shorter, presentation: planPresentation(shorter) })
  return true
}

/** Deletes what was made under the longer plan and is different under the shorter one: the last segment of every track. */
async function deleteEnds(
  { storage }: Pick<Context, 'storage'>,
  videoId: string,
  playable: Playable,
): Promise<void> {
  const prefix = `${CACHE_PREFIX}${videoId}/${LAYOUT}/`
  for await (const { key } of storage.list(prefix)) {
    const [name = '', file = ''] = key.slice(prefix.length).split('/')
    const track = findTrack(playable, name)
    const part = track && parsePart(track, file)
    const isSame = track && (part === 'init' || (part !== undefined && part < track.count - 1))
    if (!isSame || name === STORYBOARD) await storage.delete(key)
  }
}
