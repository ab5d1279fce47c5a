import { t } from '@lingui/core/macro'
import {
  type Cue,
  cueTextOf,
  formatVtt,
  parseCaptions,
  plainTextOf,
} from '@kinora/contract/videos/caption-cues.ts'

/** A cue in the editor: text without entities, and a key that stays while the cue changes. */
export type EditedCue = Cue & { key: number }

/** Shortest cue that splitting makes. */
const MIN_SECONDS = 0.1

/** Cues of a WebVTT text for the editor. */
export function editedCues(vtt: string): EditedCue[] {
  return parseCaptions(vtt).cues.map((cue, key) => ({ ...cue, text: plainTextOf(cue.text), key }))
}

/** Cues of the editor as a WebVTT text; empty ones are left out. */
export function vttOfEdited(cues: readonly EditedCue[]): string {
  return formatVtt(
    cues.map((cue) => ({ ...cue, text: cueTextOf(cue.text) })).filter(({ text }) => text !== ''),
  )
}

const nextKey = (cues: readonly EditedCue[]) => cues.reduce((last, { key }) => Math.max(last, key), -1) + 1

/** Splits a cue into two of half the text, at `atSeconds` where that is inside of it, else in the middle. */
export function splitCue(cues: readonly EditedCue[], index: number, atSeconds: number): EditedCue[] {
  const cue = cues[index]
  if (!cue || cue.endSeconds - cue.startSeconds < 2 * MIN_SECONDS) return [...cues]
  const isInside = atSeconds > cue.startSeconds + MIN_SECONDS && atSeconds < cue.endSeconds - MIN_SECONDS
  const cut = isInside ? round(atSeconds) : round((cue.startSeconds + cue.endSeconds) / 2)
  const [first, second] = halves(cue.text)
  const halved = [
    { ...cue, endSeconds: cut, text: first },
    { ...cue, startSeconds: cut, text: second, key: nextKey(cues) },
  ]
  return cues.toSpliced(index, 1, ...halved)
}

/** Joins a cue with the next one. */
export function mergeCue(cues: readonly EditedCue[], index: number): EditedCue[] {
  const [cue, next] = [cues[index], cues[index + 1]]
  if (!cue || !next) return [...cues]
  const endSeconds = Math.max(cue.endSeconds, next.endSeconds)
  const text = [cue.text, next.text].filter(Boolean).join('\n')
  return cues.toSpliced(index, 2, { ...cue, endSeconds, text })
}

/** Moves all cues by some seconds; those that would end before the video begins are left out. */
export function shiftCues(cues: readonly EditedCue[], bySeconds: number): EditedCue[] {
  return cues.flatMap((cue) => {
    const endSeconds = round(cue.endSeconds + bySeconds)
    return endSeconds > 0
      ? [{ ...cue, startSeconds: Math.max(0, round(cue.startSeconds + bySeconds)), endSeconds }]
      : []
  })
}

/** Adds an empty cue of two seconds at a time. */
export function insertCue(
  cues: readonly EditedCue[],
  atSeconds: number,
): { added: EditedCue; changed: EditedCue[] } {
  const startSeconds = round(atSeconds)
  const after = cues.findIndex((cue) => cue.startSeconds > startSeconds)
  const added = {
    key: nextKey(cues),
    startSeconds,
    endSeconds: round(startSeconds + 2),
    text: '',
    settings: '',
  }
  return { added, changed: cues.toSpliced(after === -1 ? cues.length : after, 0, added) }
}

/** Returns the error of a cue, or undefined for a valid one. */
export function cueError({ startSeconds, endSeconds }: Cue): string | undefined {
  return endSeconds > startSeconds ? undefined : t`Ends before it begins`
}

/** The two halves of a text: at its line break, or else at the space next to its middle. */
function halves(text: string): [string, string] {
  const lines = text.split('\n')
  if (lines.length > 1) {
    const half = Math.ceil(lines.length / 2)
    return [lines.slice(0, half).join('\n'), lines.slice(half).join('\n')]
  }
  const words = text.split(' ')
  const half = Math.ceil(words.length / 2)
  return [words.slice(0, half).join(' '), words.slice(half).join(' ')]
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000
