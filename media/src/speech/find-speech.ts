import { MAX_SPEECH_SECONDS, SPEECH_SAMPLE_RATE, type SpeechRange } from './speech.ts'

/** Detectors begin late and end early: a recognizer needs the whole first and last word. */
const MARGIN_SECONDS = 0.2
/** Shorter pauses do not divide speech: recognizers are better with context, and a call has a fixed cost. */
const JOINED_PAUSE_SECONDS = 1
/** A cut is in the middle of the quietest part of this length. */
const QUIET_SECONDS = 0.2
/** Speech that is too long is cut within the second half of the longest piece. */
const EARLIEST_CUT_SECONDS = MAX_SPEECH_SECONDS / 2

/**
 * Divides detected speech into pieces of at most `MAX_SPEECH_SECONDS` for the recognizer: joins what has short pauses, and
 * cuts what is longer where it is quietest. Pieces do not overlap, and contain everything that was detected.
 */
export function divideSpeech(detected: readonly SpeechRange[], pcm: Int16Array): SpeechRange[] {
  const pieces: SpeechRange[] = []
  for (const range of withMargins(detected, pcm.length / SPEECH_SAMPLE_RATE)) {
    const last = pieces.at(-1)
    const isJoined =
      last !== undefined &&
      range.fromSeconds - last.toSeconds <= JOINED_PAUSE_SECONDS &&
      range.toSeconds - last.fromSeconds <= MAX_SPEECH_SECONDS
    if (isJoined) last.toSeconds = range.toSeconds
    else pieces.push(...cutWhereQuiet(range, pcm))
  }
  return pieces
}

/** Ranges in order, with a margin on both sides. Those that touch each other are one. */
function withMargins(detected: readonly SpeechRange[], durationSeconds: number): SpeechRange[] {
  const ranges: SpeechRange[] = []
  for (const { fromSeconds, toSeconds } of detected.toSorted((a, b) => a.fromSeconds - b.fromSeconds)) {
    const last = ranges.at(-1)
    const range = {
      fromSeconds: Math.max(0, fromSeconds - MARGIN_SECONDS),
      toSeconds: Math.min(durationSeconds, toSeconds + MARGIN_SECONDS),
    }
    if (!(range.fromSeconds < range.toSeconds)) continue
    if (last && range.fromSeconds <= last.toSeconds)
      last.toSeconds = Math.max(last.toSeconds, range.toSeconds)
    else ranges.push(range)
  }
  return ranges
}

function cutWhereQuiet(range: SpeechRange, pcm: Int16Array): SpeechRange[] {
  const pieces: SpeechRange[] = []
  let from = range.fromSeconds
  while (range.toSeconds - from > MAX_SPEECH_SECONDS) {
    const at = quietestSeconds(pcm, from + EARLIEST_CUT_SECONDS, from + MAX_SPEECH_SECONDS)
    pieces.push({ fromSeconds: from, toSeconds: at })
    from = at
  }
  return [...pieces, { fromSeconds: from, toSeconds: range.toSeconds }]
}

/** The middle of the quietest part between two times. */
function quietestSeconds(pcm: Int16Array, fromSeconds: number, toSeconds: number): number {
  const step = Math.round((QUIET_SECONDS / 10) * SPEECH_SAMPLE_RATE)
  const first = Math.round(fromSeconds * SPEECH_SAMPLE_RATE)
  const steps = Math.floor((toSeconds - fromSeconds) / (QUIET_SECONDS / 10))
  const volumes = Array.from({ length: steps }, (_, index) => {
    let sum = 0
    for (let at = first + index * step; at < first + (index + 1) * step; at++) sum += Math.abs(pcm[at] ?? 0)
    return sum
  })
  let quietest = { index: 0, volume: Number.POSITIVE_INFINITY }
  for (let index = 0; index + 10 <= steps; index++) {
    const volume = volumes.slice(index, index + 10).reduce((sum, one) => sum + one, 0)
    if (volume < quietest.volume) quietest = { index, volume }
  }
  return fromSeconds + (quietest.index / 10 + 0.5) * QUIET_SECONDS
}
