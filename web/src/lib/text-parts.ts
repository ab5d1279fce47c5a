/** A part of a user's text: plain text, a URL, a timestamp of the video, a tag, or an @name. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'time'; text: string; seconds: number }
  | { kind: 'tag'; text: string; tag: string }
  | { kind: 'mention'; text: string; name: string }

const LINK = /https?:\/\/[^\s<>"]+/.source
const TIME = /(?<![\d:.])(?:\d{1,2}:)?\d{1,3}:[0-5]\d(?![\d:]|\.\d)/.source
/** A tag has at least one letter: `#1` is a number. The server finds the same ones. */
const TAG = /(?<![\p{L}\p{N}_&/#])#(?=[\p{N}_-]*\p{L})[\p{L}\p{M}\p{N}_]+(?:-[\p{L}\p{M}\p{N}_]+)*/u.source
/** The server resolves the same ones. */
const MENTION = /(?<![\p{L}\p{N}_@./-])@[A-Za-z0-9]+(?![\p{L}\p{N}_@])/u.source
const PATTERN = new RegExp(`(${LINK})|(${TIME})|(${TAG})|(${MENTION})`, 'giu')
const TAG_MAX_LENGTH = 51

/** Finds addresses, time stamps, tags and @names in plain text; stamps beyond the end of the video are just numbers. */
export function textParts(text: string, durationSeconds: number): TextPart[] {
  const parts: TextPart[] = []
  let plainFrom = 0
  for (const match of text.matchAll(PATTERN)) {
    const [, link, time, tag, mention = ''] = match
    const part = link
      ? linkPartOf(link)
      : time
        ? timePartOf(time, durationSeconds)
        : tag
          ? tagPartOf(tag)
          : mentionPartOf(mention)
    if (!part) continue
    if (match.index > plainFrom) parts.push({ kind: 'text', text: text.slice(plainFrom, match.index) })
    parts.push(part)
    plainFrom = match.index + part.text.length
  }
  if (plainFrom < text.length) parts.push({ kind: 'text', text: text.slice(plainFrom) })
  return parts
}

const closers = new Set('.,;:!?\'"')

function linkPartOf(found: string): TextPart | undefined {
  let unopened = 0
  for (const character of found) unopened += character === ')' ? 1 : character === '(' ? -1 : 0
  let end = found.length
  for (; end > 0; end--) {
    const last = found[end - 1] ?? ''
    // A closing bracket belongs to the sentence unless the address opened it.
    if (last === ')' && unopened > 0) unopened--
    else if (!closers.has(last)) break
  }
  const address = found.slice(0, end)
  return URL.canParse(address) ? { kind: 'link', text: address, href: address } : undefined
}

function timePartOf(stamp: string, durationSeconds: number): TextPart | undefined {
  const seconds = stamp.split(':').reduce((total, part) => total * 60 + Number(part), 0)
  return seconds <= durationSeconds ? { kind: 'time', text: stamp, seconds } : undefined
}

function tagPartOf(text: string): TextPart | undefined {
  return text.length <= TAG_MAX_LENGTH ? { kind: 'tag', text, tag: text.slice(1).toLowerCase() } : undefined
}

const mentionPartOf = (text: string): TextPart => ({
  kind: 'mention',
  text,
  name: text.slice(1).toLowerCase(),
})
