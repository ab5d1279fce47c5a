import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { explain, type Explanation } from '@kinora/contract/failure.ts'
import { formatVtt } from '@kinora/contract/videos/caption-cues.ts'
import { maxCaptions } from '@kinora/contract/videos/captions.ts'
import { layOutCues } from '@kinora/media/speech/cues.ts'
import { decodeSpeechAudio } from '@kinora/media/speech/decode-audio.ts'
import {
  isInaudible,
  SPEECH_SAMPLE_RATE,
  type SpeechEngine,
  SpeechFailed,
  type SpeechRange,
} from '@kinora/media/speech/speech.ts'
import type { AudioInfo } from '@kinora/media/source/source-info.ts'
import { toolsOf } from '@kinora/media/process/ffmpeg.ts'
import { readSample } from '@kinora/media/speech/sample.ts'
import { newId } from '@kinora/platform/ids.ts'
import type { Context } from '../../../../context/context.ts'
import { deleteAutomaticCaptions, insertCaptions, listAllCaptions } from '../../captions/queries.ts'
import { automaticLabelOf, unknownLanguage } from '../../captions/rules.ts'
import { openSource } from '../../playback/actions/encode-segments.ts'
import type { PlannedVideo } from '../../playback/actions/presentations.ts'
import { isMachineFailure } from '../../playback/actions/track-failures.ts'
import { findPlannedVideo } from '../../playback/actions/with-video.ts'
import * as queries from '../queries.ts'
import {
  audioTrackFor,
  blockSeconds,
  isCaptioned,
  maxSilentSeconds,
  supportsLanguage,
  maxFailures,
  mostFrequent,
  placeWords,
  samplePlaces,
  splitBlock,
} from '../rules.ts'

/** The lowest CPU priority: viewers and the preparation of uploads go first. */
const niceness = 19

interface Task {
  context: Context
  engine: SpeechEngine
  signal: AbortSignal
  /** Whether something more urgent waits. */
  mustPause: () => Promise<boolean>
}

/** The transcription was stopped by its owner, or something more urgent waits. */
class Interrupted extends Error {}

/**
 * Recognizes the speech of a video and adds it as captions, continuing after the last part of an earlier run. Returns whether another
 * video may follow: not while something more urgent waits. Throws what may succeed later, such as failures of the storage.
 */
export async function transcribeVideo(task: Task, videoId: string): Promise<boolean> {
  const { context, signal } = task
  const running = await queries.begin(context.db, videoId)
  const video = running && (await findPlannedVideo(context, videoId))
  if (!video) return true
  try {
    await recognize(task, video, running)
    return true
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Interrupted) return !(await task.mustPause())
    if (isMachineFailure(error)) throw error
    if (error instanceof SpeechFailed) await assertEngineWorks(task)
    const failures = await queries.countFailure(context.db, videoId)
    context.log.warn({ err: error, videoId, failures }, 'speech recognition failed')
    if (failures >= maxFailures)
      await queries.end(context.db, videoId, 'failed', explain(videoErrors.speechFailed))
    return true
  }
}

/** Throws if the engine fails at a sample, too: then the model is broken, not the file. */
async function assertEngineWorks({ engine, signal }: Task): Promise<void> {
  await engine.transcribe(readSample(), { language: null }, signal)
}

async function recognize(
  task: Task,
  video: PlannedVideo,
  running: queries.RunningTranscription,
): Promise<void> {
  const { db } = task.context
  const { id } = video
  const { isRequested, isDetected } = running
  const known = await listAllCaptions(db, id)
  const track = audioTrackFor(video.source.audio, running.language)
  if (!isRequested && isCaptioned(known, isDetected ? null : running.language))
    return queries.end(db, id, 'skipped')
  if (!track) return queries.end(db, id, 'silent')
  if (known.filter(({ isAutomatic }) => !isAutomatic).length >= maxCaptions)
    return queries.end(db, id, 'failed', explain(videoErrors.captionsTrackLimit, { limit: maxCaptions }))
  const language =
    isDetected || running.language !== null ? running.language : await detectLanguage(task, video, track)
  if (language !== null && !supportsLanguage(task.engine.languages, language))
    return queries.end(db, id, 'failed', unsupported(language))
  await recognizeBlocks(task, video, track, language)
  await addCaptions(task, video, { language, replacement: running.replacement })
}

const unsupported = (language: string): Explanation => explain(videoErrors.speechLanguage, { language })

/** Detects the language of a video in three places, and records it. */
async function detectLanguage(task: Task, video: PlannedVideo, track: AudioInfo): Promise<string | null> {
  const { engine, signal, context } = task
  const found: (string | null)[] = []
  for (const place of samplePlaces(video.source.durationSeconds)) {
    const pcm = await decode(task, video, track, place)
    const ranges = await findSpeech(task, pcm)
    const [longest] = ranges.toSorted((a, b) => lengthOf(b) - lengthOf(a))
    if (longest) found.push(await engine.detectLanguage(samplesOf(pcm, longest), signal))
  }
  const language = mostFrequent(found)
  await queries.putLanguage(context.db, video.id, language)
  return language
}

/** Hours of silence take no longer than reading them. */
const findSpeech = async ({ engine, signal }: Task, pcm: Int16Array): Promise<SpeechRange[]> =>
  isInaudible(pcm) ? [] : engine.findSpeech(pcm, signal)

async function recognizeBlocks(
  task: Task,
  video: PlannedVideo,
  track: AudioInfo,
  language: string | null,
): Promise<void> {
  const { engine, signal, context } = task
  const { durationSeconds } = video.source
  const put = async (part: queries.RecognizedPart, takenSeconds: number) => {
    const progress = Math.min(1, part.toSeconds / durationSeconds)
    if (!(await queries.putPart(context.db, video.id, part, { progress, takenSeconds })))
      throw new Interrupted()
    if (await task.mustPause()) throw new Interrupted()
  }
  let length = blockSeconds
  for (let from = await queries.findPosition(context.db, video.id); from < durationSeconds;) {
    const block = { fromSeconds: from, toSeconds: Math.min(from + length, durationSeconds) }
    const pcm = await decode(task, video, track, block)
    length = isInaudible(pcm) ? Math.min(2 * length, maxSilentSeconds) : blockSeconds
    const isLast = block.toSeconds >= durationSeconds
    const speech = await findSpeech(task, pcm)
    const { ranges, nextSeconds } = splitBlock(speech, block, isLast)
    for (const range of ranges) {
      const startedAt = performance.now()
      const samples = samplesOf(pcm, {
        fromSeconds: range.fromSeconds - block.fromSeconds,
        toSeconds: range.toSeconds - block.fromSeconds,
      })
      const { words } = await engine.transcribe(samples, { language }, signal)
      const takenSeconds = (performance.now() - startedAt) / 1000
      await put({ ...range, words: placeWords(words, range.fromSeconds) }, takenSeconds)
    }
    // silence after the last words
    const last = ranges.at(-1)?.toSeconds ?? from
    if (last < nextSeconds) await put({ fromSeconds: last, toSeconds: nextSeconds, words: [] }, 0)
    from = nextSeconds
  }
}

/** Adds what was recognized as captions, unless the file was replaced meanwhile. */
async function addCaptions(
  { context }: Task,
  { id }: PlannedVideo,
  { language, replacement }: { language: string | null; replacement: string | null },
): Promise<void> {
  const spoken = language ?? unknownLanguage
  await context.db.transaction().execute(async (transaction) => {
    if (!(await queries.lockFile(transaction, id, replacement))) return
    const cues = layOutCues(await queries.listWords(transaction, id))
    if (cues.length === 0) return queries.end(transaction, id, 'silent')
    await deleteAutomaticCaptions(transaction, id, spoken)
    const known = await listAllCaptions(transaction, id)
    if (known.length < maxCaptions)
      await insertCaptions(transaction, {
        id: newId(),
        videoId: id,
        language: spoken,
        label: automaticLabelOf(spoken),
        isDefault: false,
        isAutomatic: true,
        fileTrack: null,
        content: formatVtt(cues),
      })
    await queries.end(transaction, id, 'done')
  })
  context.cacheTags.clear(['videos'])
  context.log.info({ videoId: id }, 'captions recognized')
}

async function decode(
  { context, signal }: Task,
  video: PlannedVideo,
  track: AudioInfo,
  range: SpeechRange,
): Promise<Int16Array> {
  await using file = await openSource(context, video)
  const { source, presentation } = video
  const job = {
    tools: toolsOf(context.config),
    source,
    timeline: presentation.timeline,
    path: file.path,
    niceness,
  }
  return await decodeSpeechAudio(job, { audioTrack: track.position, ...range }, signal)
}

const samplesOf = (pcm: Int16Array, { fromSeconds, toSeconds }: SpeechRange): Int16Array =>
  pcm.subarray(Math.round(fromSeconds * SPEECH_SAMPLE_RATE), Math.round(toSeconds * SPEECH_SAMPLE_RATE))

const lengthOf = ({ fromSeconds, toSeconds }: SpeechRange) => toSeconds - fromSeconds
