import type { Gap, SourceInfo } from '../source/source-info.ts'
import { planTimeline } from '../plan/timeline.ts'

/** The source with a video gap added. */
export function addGap(source: SourceInfo, gap: Gap): SourceInfo {
  const { fromSeconds, toSeconds } = gap
  const cutsMicros = source.index.cutsMicros.filter(
    (micros) => micros / 1e6 < fromSeconds || micros / 1e6 >= toSeconds,
  )
  const videoGaps = [...(source.videoGaps ?? []), gap].toSorted((a, b) => a.fromSeconds - b.fromSeconds)
  return { ...source, index: { ...source.index, cutsMicros }, videoGaps }
}

/** Audio gaps closer than this are merged: damage leaves single frames between them. */
const MERGE_SECONDS = 1

/** The source with audio gaps added; unchanged if all are known. */
export function addAudioGaps(source: SourceInfo, found: Gap[]): SourceInfo {
  const audioGaps: Gap[] = []
  const all = [...(source.audioGaps ?? []), ...found].toSorted((a, b) => a.fromSeconds - b.fromSeconds)
  for (const { fromSeconds, toSeconds } of all) {
    const last = audioGaps.at(-1)
    if (last && fromSeconds - last.toSeconds <= MERGE_SECONDS)
      audioGaps[audioGaps.length - 1] = { ...last, toSeconds: Math.max(last.toSeconds, toSeconds) }
    else audioGaps.push({ fromSeconds, toSeconds })
  }
  return audioGaps.length > 0 ? { ...source, audioGaps } : source
}

/**
 * The source cut to its first frame that can be decoded; the audio begins with it. A source with a gap is never
 * remuxed.
 */
export function beginSourceAt(source: SourceInfo, startSeconds: number): SourceInfo {
  const from = Math.round(startSeconds * 1e6)
  const { cutsMicros } = source.index
  const later = cutsMicros.filter((micros) => micros > from)
  const audio = source.audio
    .map((track) => ({ ...track, startSeconds: Math.max(track.startSeconds, startSeconds) }))
    .filter((track) => track.endSeconds > track.startSeconds)
  return withDuration({
    ...source,
    video: { ...source.video, startSeconds },
    audio,
    index: { ...source.index, cutsMicros: [from, ...later] },
    videoGaps: [{ fromSeconds: source.video.startSeconds, toSeconds: startSeconds }],
  })
}

/** The source cut where its frames end before its index says so. `endSeconds` is on its own clock. */
export function endSourceAt(source: SourceInfo, endSeconds: number): SourceInfo {
  const audio = source.audio
    .map((track) => ({ ...track, endSeconds: Math.min(track.endSeconds, endSeconds) }))
    .filter((track) => track.endSeconds > track.startSeconds)
  return withDuration({
    ...source,
    video: { ...source.video, endSeconds },
    audio,
    index: {
      ...source.index,
      cutsMicros: source.index.cutsMicros.filter((micros) => micros / 1e6 < endSeconds),
    },
    isBrokenOff: true,
  })
}

/** Sets the duration to that of the part which is played. */
export function withDuration(source: Omit<SourceInfo, 'durationSeconds'>): SourceInfo {
  return { ...source, durationSeconds: planTimeline(source).durationSeconds }
}
