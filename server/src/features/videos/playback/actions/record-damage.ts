import type { Context } from '../../../../context/context.ts'
import { addGap, addAudioGaps, endSourceAt } from '@kinora/media/damage/source-damage.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { clipRanges, cutKeyOf } from '@kinora/media/plan/cut.ts'
import { planPresentation } from '@kinora/media/plan/hls.ts'
import { SourceRemuxer } from '@kinora/media/remux/remux.ts'
import type { Gap, SourceInfo } from '@kinora/media/source/source-info.ts'
import type { AudioPlan } from '@kinora/media/plan/timeline.ts'
import { findDamage } from '@kinora/media/damage/find-damage.ts'
import { keptSeconds } from '@kinora/contract/videos/cut-times.ts'
import { insertCut } from '../../videos/queries/cuts.ts'
import { showFiles } from '../../videos/actions/hide-video.ts'
import { updateReason } from '../../videos/queries/processing.ts'
import { replaceSource, updateCut } from '../../videos/queries/videos.ts'
import { getPlayable } from '../queries.ts'
import {
  damageReason,
  findTrack,
  parsePart,
  type Playable,
  runRange,
  segmentsOf,
  STORYBOARD,
} from '../rules.ts'
import { type EncodeTask, openSource } from './encode-segments.ts'
import type { PlannedVideo } from './presentations.ts'
import { resetPreparation } from './reset-preparation.ts'
import { bytesOf } from './source-ranges.ts'

type DamageContext = Pick<Context, 'config' | 'db' | 'storage' | 'log' | 'clock'>

/**
 * Locates and records the damage of a source that has no frame for segment `missing`, and resets its preparation. If no frame follows, every
 * rendition, the audio and the storyboard end there from now on. Otherwise the previous frame is shown during the gap.
 * Other segments stay unchanged for current viewers. Returns whether anything new was found.
 */
export async function recordDamage(
  { config, db, storage, log, clock }: DamageContext,
  playing: PlannedVideo,
  missing: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { id, source, presentation } = playing
  await using file = await openSource({ storage }, playing)
  const request = { tools: toolsOf(config), file: source, path: file.path, signal }
  const damage = await findDamage(request, source, presentation.timeline, missing)
  if (damage === undefined) return false
  const { fromSeconds, toSeconds } = damage
  const updated =
    toSeconds === null ? endSourceAt(source, fromSeconds) : addGap(source, { fromSeconds, toSeconds })
  const isRecorded = await db.transaction().execute(async (transaction) => {
    if (!(await replaceSource(transaction, playing, updated))) return false
    await clipCut({ db: transaction, clock }, playing, updated)
    await resetPreparation(transaction, id)
    return true
  })
  if (!isRecorded) return false
  log.warn({ videoId: id, fromSeconds, toSeconds }, 'source damaged')
  await showFiles({ db, storage }, id)
  await deleteChanged({ storage }, playing, {
    source: updated,
    presentation: planPresentation(updated),
    cut: null,
  })
  return true
}

/** Keeps a cut within what can be played. The transaction has changed the source, so that it holds the lock of the video. */
async function clipCut(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { id, presentation: { timeline } }: PlannedVideo,
  updated: SourceInfo,
): Promise<void> {
  const { cut } = await getPlayable(db, id)
  if (!cut) return
  const { timeline: after } = planPresentation(updated)
  const keep = clipRanges(timeline, after, cut)
  if (keep && cutKeyOf(keep) === cutKeyOf(cut)) return
  await updateCut(db, id, keep, keep ? keptSeconds(keep) : after.durationSeconds)
  await insertCut(db, { videoId: id, publishedAt: clock.now(), keep })
}

/** Inspects a run of remuxed audio, which is not encoded in advance, and records its gaps for the owner. */
export async function recordAudioGaps(
  { context, playing, signal }: EncodeTask,
  plan: AudioPlan,
  run: number,
): Promise<void> {
  const { config, db, storage, log } = context
  const remuxer = new SourceRemuxer(bytesOf(storage, playing), playing.presentation.timeline)
  const found: Gap[] = []
  try {
    const { from, to } = runRange(plan, run)
    for (let index = from; index < to; index++) {
      signal.throwIfAborted()
      const audioGap = await remuxer.findAudioGap(toolsOf(config), plan, index)
      if (audioGap) found.push(audioGap)
    }
  } finally {
    remuxer.close()
  }
  if (found.length === 0) return
  for (;;) {
    // concurrent runs record damage too
    const current = await getPlayable(db, playing.id)
    if (current.sourceKey !== playing.sourceKey) return
    const updated = addAudioGaps(current.source, found)
    if (!(await replaceSource(db, current, updated))) continue
    log.warn({ videoId: playing.id, audioGaps: found }, 'audio damaged')
    return updateReason(db, playing, damageReason(updated, planPresentation(updated).timeline))
  }
}

/** Deletes what differs under the new plan: the storyboard, and the last segment of shortened tracks. */
async function deleteChanged(
  { storage }: Pick<Context, 'storage'>,
  before: PlannedVideo,
  after: Playable,
): Promise<void> {
  const prefix = segmentsOf(before.id, before.folder)
  const isShorter = after.presentation.timeline.durationSeconds < before.presentation.timeline.durationSeconds
  for await (const { key } of storage.list(prefix)) {
    const [name = '', file = ''] = key.slice(prefix.length).split('/')
    const track = findTrack(after, name)
    const part = track && parsePart(track, file)
    const isSame =
      track && (part === 'init' || (typeof part === 'number' && part < track.count - (isShorter ? 1 : 0)))
    if (!isSame || name === STORYBOARD) await storage.delete(key)
  }
}
