import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divideSpeech } from './find-speech.ts'
import { MAX_SPEECH_SECONDS, SPEECH_SAMPLE_RATE, type SpeechRange } from './speech.ts'

/** Noise, with silence in these ranges. */
function noise(seconds: number, quiet: [number, number][] = []): Int16Array {
  const isQuiet = (at: number) => quiet.some(([from, to]) => at >= from && at < to)
  return Int16Array.from({ length: seconds * SPEECH_SAMPLE_RATE }, (_, index) =>
    isQuiet(index / SPEECH_SAMPLE_RATE) ? 0 : ((index * 7919) % 2000) - 1000,
  )
}

const range = (fromSeconds: number, toSeconds: number): SpeechRange => ({ fromSeconds, toSeconds })
const rounded = (ranges: SpeechRange[]) =>
  ranges.map(({ fromSeconds, toSeconds }) =>
    [fromSeconds, toSeconds].map((value) => Number(value.toFixed(2))),
  )

test('adds a margin to speech, within the audio', () => {
  const pcm = noise(10)
  expect(rounded(divideSpeech([range(0.1, 2), range(6, 9.9)], pcm))).toEqual([
    [0, 2.2],
    [5.8, 10],
  ])
})

test('joins speech with short pauses up to the longest piece', () => {
  const pcm = noise(60)
  const speech = [range(1, 5), range(6, 20), range(21, 29), range(30, 40)]
  expect(rounded(divideSpeech(speech, pcm))).toEqual([
    [0.8, 29.2],
    [29.8, 40.2],
  ])
})

test('cuts long speech where it is quietest', () => {
  const pcm = noise(60, [
    [20.3, 20.6],
    [24, 24.1],
    [44.9, 45.3],
  ])
  const [first, second] = divideSpeech([range(0, 60)], pcm)
  expect(first?.toSeconds).toBeGreaterThan(20.3)
  expect(first?.toSeconds).toBeLessThan(20.6)
  expect(second?.toSeconds).toBeGreaterThan(44.9)
  expect(second?.toSeconds).toBeLessThan(45.3)
})

test('finds nothing in silence', () => {
  expect(divideSpeech([], noise(1))).toEqual([])
})

test('pieces are in order, no longer than the recognizer takes, and contain all speech', () => {
  const pcm = noise(120, [
    [33, 34],
    [71, 71.5],
  ])
  const times = fc.double({ min: 0, max: 120, noNaN: true })
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(times, times).map(([a, b]) => range(Math.min(a, b), Math.max(a, b))),
        { maxLength: 12 },
      ),
      (speech) => {
        const pieces = divideSpeech(speech, pcm)
        for (const [index, { fromSeconds, toSeconds }] of pieces.entries()) {
          expect(fromSeconds).toBeGreaterThanOrEqual(pieces[index - 1]?.toSeconds ?? 0)
          expect(toSeconds - fromSeconds).toBeGreaterThan(0)
          expect(toSeconds - fromSeconds).toBeLessThanOrEqual(MAX_SPEECH_SECONDS + 0.001)
          expect(toSeconds).toBeLessThanOrEqual(120)
        }
        for (const { fromSeconds, toSeconds } of speech) {
          const middle = (fromSeconds + toSeconds) / 2
          expect(pieces.some((piece) => piece.fromSeconds <= middle && middle <= piece.toSeconds)).toBe(true)
        }
      },
    ),
    { numRuns: 50 },
  )
})
