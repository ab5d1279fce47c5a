/** Samples per second of the audio that is recognized: mono, 16 bits, as every supported model expects it. */
export const SPEECH_SAMPLE_RATE = 16_000
/** Longest piece that is recognized at once: Whisper's window is 30 s, of which half a second has to be empty. */
export const MAX_SPEECH_SECONDS = 29

/** Highest sample of audio that nobody can hear, 60 dB below full scale. */
const MAX_INAUDIBLE = 32

/** Whether nothing can be heard, so that no detector has to listen. */
export const isInaudible = (pcm: Int16Array): boolean =>
  pcm.every((sample) => sample <= MAX_INAUDIBLE && sample >= -MAX_INAUDIBLE)

/** A word. Languages without spaces may have several words in one, or parts of a word. */
export interface TimedText {
  text: string
  /** From the beginning of the audio that was given. */
  startSeconds: number
  endSeconds: number
}

/** A range of the audio that was given, in which somebody speaks. */
export interface SpeechRange {
  fromSeconds: number
  toSeconds: number
}

export interface Transcript {
  /** BCP 47. Null if the model does not detect it, and none was given. */
  language: string | null
  words: TimedText[]
}

/**
 * Recognizes speech. All methods take mono PCM of `SPEECH_SAMPLE_RATE`, and reject with the reason of an aborted signal,
 * or with `SpeechFailed`. Requests are handled one after the other.
 */
export interface SpeechEngine {
  /**
   * Where somebody speaks, in ranges of at most `MAX_SPEECH_SECONDS`, cut at silences. A range that ends with the audio may
   * continue beyond it.
   */
  findSpeech(pcm: Int16Array, signal?: AbortSignal): Promise<SpeechRange[]>
  /** The words of at most `MAX_SPEECH_SECONDS`. Never translates: `language` is the one that is spoken. */
  transcribe(pcm: Int16Array, options: { language: string | null }, signal?: AbortSignal): Promise<Transcript>
  /** BCP 47. Null if the model cannot detect it. */
  detectLanguage(pcm: Int16Array, signal?: AbortSignal): Promise<string | null>
  /** Ends the process that holds the models. A later request starts another one. */
  end(): void
  /** Primary subtags of BCP 47; null if they are not known. */
  languages: readonly string[] | null
}

/** A request failed: the model cannot be used, a limit was exceeded, or native code has crashed. */
export class SpeechFailed extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options)
    this.name = 'SpeechFailed'
  }
}
