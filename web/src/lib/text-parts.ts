/** A piece of a text that somebody wrote: plain, an address, or a place in the video. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'time'; text: string; seconds: number }

const PATTERN = /(https?:\/\/[^\s<>"]+)|(?<![\d:.])((?:\d{1,2}:)?\d{1,3}:[0-5]\d)(?![\d:]|\.\d)/gi

/** Finds addresses and time stamps in plain text; stamps beyond the end of the video are just numbers. */
export function textParts(text: string, durationSeconds: number): TextPart[] {
  const parts: TextPart[] = []
  let plainFrom = 0
  for (const match of text.matchAll(PATTERN)) {
    const part = match[1] ? linkPartOf(match[1]) : timePartOf(match[2] ?? '', durationSeconds)
    if (!part) continue
    if (match.index > plainFrom) parts.push({ kind: 'text', text: text.slice(plainFrom, match.index) })
    parts.push(part)
    plainFrom = match.index + part.text.length
  }
  if (plainFrom < text.length) parts.push({ kind: 'text', text: text.slice(plainFrom) })
  return parts
}

function linkPartOf(found: string): TextPart | undefined {
  let address = found.replace(/[.,;:!?'"]+$/, '')
  // A closing bracket belongs to the sentence unless the address opened it.
  while (address.endsWith(')') && count(address, ')') > count(address, '(')) {
    address = address.slice(0, -1).replace(/[.,;:!?'"]+$/, '')
  }
  return URL.canParse(address) ? { kind: 'link', text: address, href: address } : undefined
}

function timePartOf(stamp: string, durationSeconds: number): TextPart | undefined {
  const seconds = stamp.split(':').reduce((total, part) => total * 60 + Number(part), 0)
  return seconds <= durationSeconds ? { kind: 'time', text: stamp, seconds } : undefined
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1
}
