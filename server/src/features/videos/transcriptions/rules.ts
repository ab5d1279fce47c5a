import { StoredCause } from '@kinora/contract/cause.ts'
import type { OwnCaptions } from '@kinora/contract/videos/captions.ts'
import type { Transcription } from '@kinora/contract/videos/transcriptions.ts'
import type { AudioInfo } from '@kinora/media/source/source-info.ts'
import { primaryLanguage } from '@kinora/media/speech/languages.ts'
import type { SpeechRange, TimedText } from '@kinora/media/speech/speech.ts'
import type { TranscriptionRow } from './queries.ts'

/** Audio that is decoded at once, and again after an interruption. */
export const blockSeconds = 120
/** The same after silence, which is not lost by an interruption. */
export const maxSilentSeconds = 4 * blockSeconds

/** Audio in which the language is looked for, in three places of the video. */
const sampleSeconds = 60

/** Failures after which a file is left. */
export const maxFailures = 2

/** Whether two languages are the same without region and script: captions in `pt-BR` count for `pt`. */
const isSameLanguage = (stated: string | null, language: string): boolean =>
  stated !== null && primaryLanguage(stated) === primaryLanguage(language)

/** Whether somebody wrote captions of a video in a language, or any where it states none. */
export const isCaptioned = (
  captions: readonly Pick<OwnCaptions, 'language' | 'isAutomatic'>[],
  language: string | null,
): boolean =>
  captions.some(
    (track) => !track.isAutomatic && (language === null || isSameLanguage(track.language, language)),
  )

/** Whether the engine knows a language. */
export const supportsLanguage = (languages: readonly string[] | null, language: string): boolean =>
  languages === null || languages.some((known) => isSameLanguage(known, language))

/** The audio track in which people speak a language: one that says so, else the default one. Undefined without audio. */
export function audioTrackFor(audio: readonly AudioInfo[], language: string | null): AudioInfo | undefined {
  const inLanguage = audio.find((track) => language !== null && isSameLanguage(track.language, language))
  return inLanguage ?? audio.find(({ isDefault }) => isDefault) ?? audio[0]
}

/** Where the language is looked for. */
export function samplePlaces(durationSeconds: number): SpeechRange[] {
  if (durationSeconds <= 3 * sampleSeconds) return [{ fromSeconds: 0, toSeconds: durationSeconds }]
  return [1, 3, 5].map((sixth) => {
    const middle = (durationSeconds * sixth) / 6
    return { fromSeconds: middle - sampleSeconds / 2, toSeconds: middle + sampleSeconds / 2 }
  })
}

/** The language found most often, the first one of several; null for none. */
export function mostFrequent(languages: readonly (string | null)[]): string | null {
  const found = languages.filter((language) => language !== null)
  const counts = Map.groupBy(found, (language) => language)
  const [best] = [...counts].toSorted(([, a], [, b]) => b.length - a.length)
  return best?.[0] ?? null
}

/**
 * The ranges of a block to recognize now, and where the next block begins: speech that reaches the end of a block may
 * go on after it, and is left to the next one.
 */
export function splitBlock(
  ranges: readonly SpeechRange[],
  block: SpeechRange,
  isLast: boolean,
): { ranges: SpeechRange[]; nextSeconds: number } {
  const length = block.toSeconds - block.fromSeconds
  const placed = ranges.map(({ fromSeconds, toSeconds }) => ({
    fromSeconds: block.fromSeconds + fromSeconds,
    toSeconds: block.fromSeconds + toSeconds,
  }))
  const last = ranges.at(-1)
  const isCut = !isLast && last !== undefined && last.toSeconds > length - 0.5 && last.fromSeconds > 0
  return isCut
    ? { ranges: placed.slice(0, -1), nextSeconds: block.fromSeconds + last.fromSeconds }
    : { ranges: placed, nextSeconds: block.toSeconds }
}

/** Words at their places in the video. */
export const placeWords = (words: readonly TimedText[], fromSeconds: number): TimedText[] =>
  words.map(({ text, startSeconds, endSeconds }) => ({
    text,
    startSeconds: fromSeconds + startSeconds,
    endSeconds: fromSeconds + endSeconds,
  }))

/** The response shape. */
export function toTranscription(
  row: TranscriptionRow,
  site: Pick<Transcription, 'isAvailable' | 'policy' | 'secondsLeft'>,
): Transcription {
  const { isEnabled, isChannelEnabled, state, progress, language, isDetected, cause } = row
  return {
    ...site,
    isEnabled,
    isChannelEnabled,
    state,
    progress,
    language,
    isDetected,
    reason: row.failure,
    cause: StoredCause.parse(cause),
  }
}
