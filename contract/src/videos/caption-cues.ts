/** A text that captions show for some time. */
export interface Cue {
  startSeconds: number
  endSeconds: number
  /** Lines as WebVTT has them: `&amp;`, and tags such as `<i>`. */
  text: string
  /** WebVTT settings such as `line:0`, or empty. */
  settings: string
}

/** Where a file of captions is wrong. */
export interface CaptionsError {
  /** From 1. */
  line: number
  problem: 'noFormat' | 'noTime' | 'unreadableTime' | 'endsBeforeStart' | 'empty'
  /** The beginning of a line with a wrong time, or empty. */
  text: string
}

/** Further errors are not reported. */
const MAX_ERRORS = 10

const time = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`
const timing = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(?:\s+(\S.*))?\s*$`)
/** Settings of WebVTT; SubRip files may have coordinates in their place, which no browser reads. */
const setting = /^(vertical|line|position|size|align):\S+$/

/** A line with a time, right or wrong; a text may also have an arrow. */
const isTimed = (line: string | undefined) => line !== undefined && /^\s*\d[\d:.,]*\s*-->/.test(line)

/**
 * Reads WebVTT if the text begins with its signature, else SubRip. Accepts what players accept: cues without numbers, times
 * without hours, no blank line between cues, a comma or a point before fractions. Returns the cues in order of time, and
 * the first errors.
 */
export function parseCaptions(text: string): { cues: Cue[]; errors: CaptionsError[] } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const isVtt = /^WEBVTT(\s|$)/.test(lines[0] ?? '')
  const cues: Cue[] = []
  const errors: CaptionsError[] = []
  const fail = (index: number, problem: CaptionsError['problem'], found = '') =>
    errors.push({ line: index + 1, problem, text: excerpt(found) })
  let index = isVtt ? 1 : 0
  // WebVTT, section 4.1: header lines after the signature end at a blank line, or at the first cue.
  if (isVtt) while (lines[index]?.trim() && !isTimed(lines[index])) index++
  if (!isVtt && text.trim() !== '' && !lines.some(isTimed)) fail(0, 'noFormat')
  while (index < lines.length && errors.length < MAX_ERRORS) {
    const line = lines[index] ?? ''
    if (line.trim() === '') {
      index++
      continue
    }
    if (isVtt && /^(NOTE|STYLE|REGION)(\s|$)/.test(line)) {
      while (lines[index]?.trim()) index++
      continue
    }
    // The line before a timing names the cue.
    const at = isTimed(line) || !isTimed(lines[index + 1]) ? index : index + 1
    const timed = lines[at] ?? ''
    if (!isTimed(timed)) {
      fail(index, 'noTime', line)
      while (lines[index]?.trim()) index++
      continue
    }
    const end = endOfCue(lines, at + 1)
    const match = timing.exec(timed)
    const [startSeconds, endSeconds] = match ? [secondsOf(match, 1), secondsOf(match, 5)] : [0, 0]
    if (!match) fail(at, 'unreadableTime', timed)
    else if (endSeconds < startSeconds) fail(at, 'endsBeforeStart')
    // Players show a cue without length at no time.
    else if (endSeconds > startSeconds) {
      const shown = lines.slice(at + 1, end).map((each) => each.trim())
      const cueText = (isVtt ? shown : shown.map(fromSubRip)).filter(Boolean).join('\n')
      const settings = isVtt
        ? (match[9] ?? '').split(/\s+/).filter((each) => setting.test(each))
        : settingsOfSubRip(lines.slice(at + 1, end))
      if (cueText) cues.push({ startSeconds, endSeconds, text: cueText, settings: settings.join(' ') })
    }
    index = end
  }
  if (errors.length === 0 && cues.length === 0) fail(0, 'empty')
  return { cues: cues.toSorted((a, b) => a.startSeconds - b.startSeconds), errors }
}

/** Index of the line after a cue: a blank line or, if that is missing, the number or the time of the next cue. */
function endOfCue(lines: readonly string[], from: number): number {
  let end = from
  while (lines[end]?.trim() && !isTimed(lines[end])) end++
  return isTimed(lines[end]) && end > from && /^\s*\d+\s*$/.test(lines[end - 1] ?? '') ? end - 1 : end
}

function secondsOf(match: RegExpExecArray, first: number): number {
  const [hours, minutes, seconds, fraction = ''] = match.slice(first, first + 4)
  const whole = Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds)
  return (whole * 1000 + Number(fraction.padEnd(3, '0'))) / 1000
}

const excerpt = (line: string) => (line.length > 60 ? `${line.slice(0, 60)}…` : line)

/** The position of a cue of SubRip, as on a number pad: `{\an8}` is at the top. */
function settingsOfSubRip(lines: readonly string[]): string[] {
  const place = Number(/\{\\an([1-9])\}/.exec(lines.join(' '))?.[1] ?? 2)
  const [line] = place > 6 ? ['line:0'] : place > 3 ? ['line:50%'] : []
  const [align] = place % 3 === 1 ? ['align:left'] : place % 3 === 0 ? ['align:right'] : []
  return [line, align].filter((each) => each !== undefined)
}

/** A line of SubRip: bold, italic and underlined stay, other tags and positions are left out, the rest is text. */
function fromSubRip(line: string): string {
  // No match contains another opening bracket: with many unclosed ones, matching would take quadratic time.
  const bare = line.replaceAll(/\{\\[^{}]*\}|<\/?font\b[^<>]*>/gi, '')
  return cueTextOf(plainTextOf(bare))
}

const tag = /<\/?[biu]>|<\/?(?:v|c|lang|ruby|rt)(?:[.\s][^<>]*)?>/gi
/** Entities that the WebVTT specification names, and others that exports of captions contain. */
const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
  quot: '"',
  apos: "'",
}
const entity = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|nbsp|lrm|rlm|quot|apos));/gi
const LAST_CODE_POINT = 0x10ffff

/** The text of a cue as people edit it: without entities, with its tags. */
export function plainTextOf(cueText: string): string {
  return cueText.replaceAll(entity, (written, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? written
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code).toWellFormed() : written
  })
}

/** The text of a cue as people read it: without entities and tags, on one line. */
export function spokenTextOf(cueText: string): string {
  return plainTextOf(cueText.replaceAll(/<[^<>]*>/g, ''))
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Plain text as the text of a cue: everything but tags is escaped, and no blank line ends the cue early. */
export function cueTextOf(plain: string): string {
  const escape = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  let result = ''
  let from = 0
  for (const match of plain.matchAll(tag)) {
    result += escape(plain.slice(from, match.index)) + match[0]
    from = match.index + match[0].length
  }
  return (result + escape(plain.slice(from)))
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll('\0', '').trim())
    .filter(Boolean)
    .join('\n')
}

/** Cues as a WebVTT file, in order of time. */
export function formatVtt(cues: readonly Cue[]): string {
  const blocks = cues
    .toSorted((a, b) => a.startSeconds - b.startSeconds)
    .map(({ startSeconds, endSeconds, text, settings }) => {
      const line = `${formatCueTime(startSeconds)} --> ${formatCueTime(endSeconds)}`
      return `${settings ? `${line} ${settings}` : line}\n${text.replaceAll('-->', '--&gt;')}\n`
    })
  return `WEBVTT\n\n${blocks.join('\n')}`
}

/** 3661.4 -> 01:01:01.400 */
export function formatCueTime(seconds: number): string {
  const totalMs = Math.max(0, Math.round(seconds * 1000))
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = String(totalMs % 1000).padStart(3, '0')
  return `${two(totalMs / 3_600_000)}:${two((totalMs / 60_000) % 60)}:${two((totalMs / 1000) % 60)}.${rest}`
}

/** Reads a time as people type it: 1:02:03.4, 1:02, 62.5. Undefined if it is none. */
export function parseCueTime(text: string): number | undefined {
  const match = /^(?:(?:(\d{1,4}):)?(\d{1,3}):)?(\d{1,6}(?:[.,]\d{1,3})?)$/.exec(text.trim())
  if (!match) return undefined
  const [, hours = 0, minutes = 0, seconds = ''] = match
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'))
}

/** Decodes a file of captions in UTF-8, or in UTF-16 with a byte order mark or beginning with an ASCII character; else undefined. */
export function decodeCaptions(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first && second === 0))
    return new TextDecoder('utf-16le').decode(bytes)
  if ((first === 0xfe && second === 0xff) || (first === 0 && second))
    return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
