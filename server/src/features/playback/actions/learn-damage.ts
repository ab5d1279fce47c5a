import type { Context } from '../../../context.ts'
import { addHole, endSourceAt } from '../../../media/damaged-source.ts'
import { toolsOf } from '../../../media/ffmpeg.ts'
import { LAYOUT, planPresentation } from '../../../media/hls.ts'
import { findDamage } from '../../../media/trial.ts'
import { CACHE_PREFIX, findTrack, parsePart, type Playable, STORYBOARD } from '../rules.ts'
import { openSource } from './make-segments.ts'
import { replaceSource } from '../../videos/queries/videos.ts'
import type { Playing } from './presentations.ts'

type LearnContext = Pick<Context, 'config' | 'db' | 'storage' | 'log'>

/**
 * Looks how far the damage of a source goes that has no picture for segment `missing`. Where no picture comes after it,
 * everything ends there from now on: every rung, the sound, the preview pictures; else the picture before it is held
 * until they go on. Other segments stay what they were, for those who are watching. Answers whether anything was learnt.
 */
export async function learnDamage(
  { config, db, storage, log }: LearnContext,
  playing: Playing,
  missing: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { id, source, presentation } = playing
  await using file = await openSource({ storage }, playing)
  const trial = { tools: toolsOf(config), file: source, path: file.path, signal }
  const damage = await findDamage(trial, source, presentation.timeline, missing)
  if (damage === undefined) return false
  const { fromSeconds, toSeconds } = damage
  const learnt =
    toSeconds === null ? endSourceAt(source, fromSeconds) : addHole(source, { fromSeconds, toSeconds })
  if (!(await replaceSource(db, id, source, learnt))) return false
  log.warn({ videoId: id, fromSeconds, toSeconds }, 'source is damaged')
  await deleteChanged({ storage }, playing, { source: learnt, presentation: planPresentation(learnt) })
  return true
}

/** Deletes what is different under the new plan: the preview pictures, and the last segment of tracks that are shorter. */
async function deleteChanged(
  { storage }: Pick<Context, 'storage'>,
  before: Playing,
  after: Playable,
): Promise<void> {
  const prefix = `${CACHE_PREFIX}${before.id}/${LAYOUT}/`
  const isShorter = after.presentation.timeline.durationSeconds < before.presentation.timeline.durationSeconds
  for await (const { key } of storage.list(prefix)) {
    const [name = '', file = ''] = key.slice(prefix.length).split('/')
    const track = findTrack(after, name)
    const part = track && parsePart(track, file)
    const isSame =
      track && (part === 'init' || (part !== undefined && part < track.count - (isShorter ? 1 : 0)))
    if (!isSame || name === STORYBOARD) await storage.delete(key)
  }
}
