import { Readable } from 'node:stream'
import { keptSeconds } from '@kinora/contract/videos/cut-times.ts'
import type { Chapter } from '@kinora/contract/videos/videos.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { cutKeyOf } from '@kinora/media/plan/cut.ts'
import { probe } from '@kinora/media/probe/probe.ts'
import type { SourceInfo } from '@kinora/media/source/source-info.ts'
import { newId } from '@kinora/platform/ids.ts'
import type { Context } from '../../../../context/context.ts'
import { publishVisibility } from '../../../visibility/queries.ts'
import {
  deleteFileCaptions,
  insertCaptions,
  listAddedContents,
  replaceCaptions,
} from '../../captions/queries.ts'
import { cutCaptions, labelOf, unknownLanguage } from '../../captions/rules.ts'
import { type CutVideo, isCutVideo, readCutFile } from '../../playback/actions/cut-file.ts'
import { deleteFileLater } from '../../playback/actions/delete-file-later.ts'
import { encodePart } from '../../playback/actions/encode-part.ts'
import { readCaptions } from '../../playback/actions/encode-segments.ts'
import { OpenSources } from '../../playback/actions/open-sources.ts'
import { PassthroughSegments } from '../../playback/actions/passthrough.ts'
import { restartPreparation } from '../../playback/actions/restart-preparation.ts'
import { findPlannedVideo, getPlannedVideo } from '../../playback/actions/with-video.ts'
import { segmentsOf } from '../../playback/rules.ts'
import { deleteSourceLater } from '../../uploads/actions/delete-source-later.ts'
import { sourceKeyOf } from '../../uploads/rules.ts'
import { showFiles } from '../../videos/actions/hide-video.ts'
import { insertCut } from '../../videos/queries/cuts.ts'
import { getDescription, toVideoFile, updateFile, updateVideo } from '../../videos/queries/videos.ts'
import { findLockedVideo } from '../../videos/queries/lock-videos.ts'
import { listChapters, settleTimes } from '../../videos/rules.ts'
import { deleteWaveform } from '../../waveforms/queries.ts'
import {
  deleteCutDeletion,
  deleteOldFile,
  findCutDeletion,
  findOldFile,
  updateCutDeletion,
  updateOldFile,
} from '../queries.ts'

/** Longer than all attempts of the job take. */
const discardAfterSeconds = 24 * 3600
const progressMs = 1000
const niceness = 15
/** Rounding of the ends of tracks. */
const slackSeconds = 0.5

/** The deletion was stopped, or another cut was published. */
class DeletionEnded extends Error {}

/**
 * Makes what viewers see of a cut video its file. The new file is stored and inspected first; then the row changes in one
 * transaction, with everything that has times of the file, and the old one is deleted. Does nothing if the deletion was stopped.
 */
export async function applyCut(context: Context, videoId: string, signal: AbortSignal): Promise<void> {
  const { db } = context
  // of a job that was killed
  await deleteOld(context, videoId)
  const deletion = await findCutDeletion(db, videoId)
  const video = deletion && (await findPlannedVideo(context, videoId))
  if (!deletion || !video || !isCutVideo(video)) return deleteCutDeletion(db, videoId)
  const { publishedAt } = deletion
  const sourceKey = sourceKeyOf(videoId, newId())
  // a killed process leaves nothing
  await deleteSourceLater(context, sourceKey, discardAfterSeconds)
  try {
    await storeCut(context, { video, publishedAt, sourceKey }, signal)
    const source = await inspect(context, video, sourceKey, signal)
    const ofFile = await readFileCaptions(context, video, signal)
    await db.transaction().execute(async (transaction) => {
      const inTransaction = { ...context, db: transaction }
      if (!(await findLockedVideo(transaction, videoId))) throw new DeletionEnded()
      const now = await getPlannedVideo(transaction, videoId)
      const isSame = now.folder === video.folder && now.cut && cutKeyOf(now.cut) === cutKeyOf(video.cut)
      const still = await findCutDeletion(transaction, videoId)
      if (!isSame || still?.publishedAt.getTime() !== publishedAt.getTime()) throw new DeletionEnded()
      const text = await getDescription(transaction, videoId)
      for (const track of await listAddedContents(transaction, videoId))
        await replaceCaptions(transaction, { videoId, ...track }, cutCaptions(track.content, video.cut))
      for (const track of ofFile) await insertCaptions(transaction, track)
      // those of the description, too, of which too few may remain to be listed there
      const shown = { ...text, cut: video.cut, durationSeconds: keptSeconds(video.cut) }
      const chapters = listChapters(shown, video.source.chapters ?? null).map(startOf)
      const file = {
        ...toVideoFile(sourceKey, { ...source, chapters, joins: (video.source.joins ?? 0) + 1 }),
        replacement: newId(),
      }
      await updateFile(transaction, videoId, file)
      await deleteFileCaptions(transaction, videoId)
      await deleteWaveform(transaction, videoId)
      const sourceSeconds = video.presentation.timeline.durationSeconds
      const description = settleTimes({ ...text, cut: video.cut, sourceSeconds })
      await updateVideo(transaction, videoId, { description })
      // a trigger changes positions
      await insertCut(transaction, {
        videoId,
        publishedAt: context.clock.now(),
        keep: video.cut,
        isFinal: true,
      })
      await updateOldFile(transaction, videoId, video)
      await restartPreparation(inTransaction, videoId)
      await deleteFileLater(inTransaction, video)
      await publishVisibility(transaction, videoId)
      signal.throwIfAborted()
    })
  } catch (error) {
    if (error instanceof DeletionEnded) return
    throw error
  }
  context.cacheTags.clear(['videos'])
  await deleteOld(context, videoId)
}

/** Deletes the file that was replaced. Its mark hides it from a reverse proxy until nothing is left of it. */
async function deleteOld({ db, storage }: Context, videoId: string): Promise<void> {
  const old = await findOldFile(db, videoId)
  if (!old) return
  await storage.delete(old.sourceKey)
  await storage.delete(segmentsOf(videoId, old.folder))
  await deleteOldFile(db, videoId, old)
  await showFiles({ db, storage }, videoId)
}

/** Writes what viewers see as a new source. */
async function storeCut(
  context: Context,
  { video, publishedAt, sourceKey }: { video: CutVideo; publishedAt: Date; sourceKey: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, storage } = context
  const sources = new OpenSources(context)
  const passthrough = new PassthroughSegments(context, sources)
  const task = { context, playing: video, signal, niceness }
  let share = 0
  let reportedAt = performance.now()
  const bytes = readCutFile(
    {
      storage,
      passthrough,
      encode: (name, track) => encodePart(task, track, name),
      address: '',
      signal,
      mustCopy: true,
    },
    video,
    (written) => (share = written),
  )
  async function* reported(): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      yield chunk
      if (performance.now() - reportedAt < progressMs) continue
      reportedAt = performance.now()
      if (!(await updateCutDeletion(db, video.id, publishedAt, { progress: share })))
        throw new DeletionEnded()
    }
  }
  try {
    await storage.put(sourceKey, Readable.from(reported()), video.source.sizeBytes)
  } finally {
    sources.close()
  }
}

/** Inspects a new source. Throws unless it is as long as what viewers see. */
async function inspect(
  { config, storage }: Context,
  { cut, presentation }: CutVideo,
  sourceKey: string,
  signal: AbortSignal,
): Promise<SourceInfo> {
  await using file = await storage.open(sourceKey)
  if (!file) throw new Error(`${sourceKey} is gone`)
  const source = await probe(toolsOf(config), file.path, signal)
  const seconds = keptSeconds(cut)
  const tracks = presentation.audio.filter(({ isLowBitrate }) => !isLowBitrate).length
  if (Math.abs(source.durationSeconds - seconds) > slackSeconds || source.audio.length !== tracks)
    throw new Error(`the cut of ${sourceKey} has ${source.durationSeconds} s instead of ${seconds} s`)
  return source
}

const startOf = ({ title, startSeconds }: Chapter) => ({ title, startSeconds })

/** The captions of a file that none takes the place of, as tracks of their own: the new file has none. */
async function readFileCaptions(context: Context, video: CutVideo, signal: AbortSignal) {
  const added = await listAddedContents(context.db, video.id)
  const replaced = new Set(added.map(({ fileTrack }) => fileTrack))
  const tracks: Parameters<typeof insertCaptions>[1][] = []
  for (const [fileTrack, captions] of (video.source.captions ?? []).entries()) {
    if (replaced.has(fileTrack)) continue
    const content = await readCaptions({ context, playing: video, signal, niceness }, captions)
    const language = captions.language ?? unknownLanguage
    tracks.push({
      id: newId(),
      videoId: video.id,
      language,
      label: labelOf(captions.label, language),
      content: cutCaptions(content.toString(), video.cut),
    })
  }
  return tracks
}
