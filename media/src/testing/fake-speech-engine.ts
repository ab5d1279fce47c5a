import { divideSpeech } from '../speech/find-speech.ts'
import { SPEECH_SAMPLE_RATE, type SpeechEngine, type SpeechRange } from '../speech/speech.ts'

const LOUD = 500
const WINDOW_SECONDS = 0.1

interface FakeOptions {
  /** The language that is detected. */
  language?: string | null
  languages?: readonly string[] | null
  /** The text of each piece; "word" for each second if it is not given. */
  say?: (pcm: Int16Array, language: string | null) => string
}

/**
 * A speech engine without models: what is louder than silence is speech, and its words are what the test says. They share
 * the time of their piece evenly. An error that `say` throws rejects the request, as a crash does.
 */
export function createFakeSpeechEngine({
  language = 'en',
  languages = null,
  say,
}: FakeOptions = {}): SpeechEngine & {
  /** Number of calls of `transcribe`. */
  readonly calls: number
} {
  let calls = 0
  return {
    languages,
    get calls() {
      return calls
    },
    async findSpeech(pcm, signal) {
      signal?.throwIfAborted()
      return divideSpeech(loudRanges(pcm), pcm)
    },
    async transcribe(pcm, options, signal) {
      signal?.throwIfAborted()
      calls += 1
      const seconds = pcm.length / SPEECH_SAMPLE_RATE
      const spoken = options.language ?? language
      const text = say?.(pcm, spoken) ?? Array.from({ length: Math.ceil(seconds) }, () => 'word').join(' ')
      const words = text.split(' ').filter(Boolean)
      return {
        language: spoken,
        words: words.map((word, index) => ({
          text: word,
          startSeconds: (index / words.length) * seconds,
          endSeconds: ((index + 1) / words.length) * seconds,
        })),
      }
    },
    async detectLanguage(_, signal) {
      signal?.throwIfAborted()
      return language
    },
    end: () => undefined,
  }
}

function loudRanges(pcm: Int16Array): SpeechRange[] {
  const step = WINDOW_SECONDS * SPEECH_SAMPLE_RATE
  const ranges: SpeechRange[] = []
  for (let at = 0; at < pcm.length; at += step) {
    if (!pcm.subarray(at, at + step).some((sample) => Math.abs(sample) > LOUD)) continue
    const fromSeconds = at / SPEECH_SAMPLE_RATE
    const toSeconds = Math.min(at + step, pcm.length) / SPEECH_SAMPLE_RATE
    const last = ranges.at(-1)
    if (last && fromSeconds - last.toSeconds < WINDOW_SECONDS / 2) last.toSeconds = toSeconds
    else ranges.push({ fromSeconds, toSeconds })
  }
  return ranges
}
