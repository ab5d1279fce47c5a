import { decodeCaptions, formatVtt, parseCaptions } from '@kinora/contract/caption-cues.ts'
import { AppError } from '../../platform/errors.ts'

/** A file of captions as WebVTT. Throws `invalid` with each line that is wrong. */
export function toVtt(bytes: Uint8Array): string {
  const { cues, errors } = parseCaptions(decodeCaptions(bytes).replaceAll('\0', ''))
  const [first] = errors
  if (first) {
    const lines = errors.map(({ line, message }) => ({
      path: 'captions',
      message: `Line ${line}: ${message}`,
    }))
    throw new AppError('invalid', `Line ${first.line}: ${first.message}`, { errors: lines })
  }
  return formatVtt(cues)
}

const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** Returns the name of a track: its label, or else the name of its language. */
export function labelOf(label: string | undefined, language: string): string {
  return label?.trim() ? label : (names.of(language) ?? language)
}
