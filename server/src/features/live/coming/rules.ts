import type { TimedComing } from './queries.ts'

/** Lines of a calendar have at most 75 bytes (RFC 5545, section 3.1). */
const LINE_BYTES = 75

/** A list as a calendar (RFC 5545), with addresses on the origin of the site. */
export function calendarOf(
  { origin, name, now }: { origin: string; name: string; now: Date },
  coming: readonly TimedComing[],
): string {
  const { host } = new URL(origin)
  const events = coming.flatMap(({ _id, title, videoOwner, startsAt, durationSeconds }) => [
    'BEGIN:VEVENT',
    `UID:${_id}@${host}`,
    `DTSTAMP:${stampOf(now)}`,
    `DTSTART:${stampOf(new Date(startsAt))}`,
    // nobody knows how long a stream takes
    `DURATION:PT${durationSeconds > 0 ? Math.ceil(durationSeconds / 60) : 60}M`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(videoOwner.fullname)}`,
    `URL:${origin}/video/${encodeURIComponent(_id)}`,
    'END:VEVENT',
  ])
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Kinora//Upcoming//EN',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...events,
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** A time in UTC: `20260509T081500Z`. */
const stampOf = (time: Date) => time.toISOString().replace(/[-:]|\.\d+/g, '')

const escaped = (text: string) =>
  text.replace(/[\\;,]/g, String.raw`\$&`).replace(/\r?\n|\r/g, String.raw`\n`)

/** A line in pieces that end between characters; each further one begins with a space. */
function folded(line: string): string {
  const pieces: string[] = []
  let piece = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > LINE_BYTES) {
      pieces.push(piece)
      piece = ' '
      bytes = 1
    }
    piece += character
    bytes += size
  }
  return [...pieces, piece].join('\r\n')
}
