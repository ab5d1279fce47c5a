/** Codes of Whisper. Those that differ from BCP 47 are in `whisperCodes`. */
const ofWhisper =
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it ja ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh'

/** Languages of each kind of model, as primary subtags of BCP 47. */
export const languagesOf = {
  english: ['en'],
  whisper: [...ofWhisper.split(' '), 'jv', 'nb', 'fil'],
  /** Parakeet TDT 0.6B v3. */
  parakeet: 'bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk'.split(' '),
  senseVoice: ['zh', 'en', 'ja', 'ko', 'yue'],
} as const

const whisperCodes: Record<string, string> = { jv: 'jw', nb: 'no', fil: 'tl' }

/** The primary subtag of a BCP 47 tag: `pt` of `pt-BR`. Null if it is no tag. */
export function primaryLanguage(tag: string): string | null {
  try {
    return new Intl.Locale(tag).language
  } catch {
    // `Intl.Locale` throws a RangeError for malformed tags.
    return null
  }
}

/** The code by which Whisper knows a language. */
export const toWhisperCode = (language: string) => whisperCodes[language] ?? language

/** The language that a model reports, `<|en|>` or `en`, as BCP 47. Null if it reports none. */
export function fromModelCode(code: string | undefined): string | null {
  const bare = code?.replaceAll(/[<|>]/g, '') ?? ''
  if (!/^[a-z]{2,3}$/.test(bare)) return null
  return bare === 'jw' ? 'jv' : bare
}
