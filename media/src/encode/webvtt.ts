/** A WebVTT timestamp. */
export function formatTimestamp(seconds: number): string {
  const part = (value: number, length = 2) => String(Math.floor(value)).padStart(length, '0')
  const milliseconds = Math.round(seconds * 1000)
  return `${part(milliseconds / 3_600_000)}:${part((milliseconds / 60_000) % 60)}:${part((milliseconds / 1000) % 60)}.${part(milliseconds % 1000, 3)}`
}

/** A line of a cue, in which nothing is markup. */
export function escapeCueLine(line: string): string {
  return line
    .replaceAll('\0', '')
    .trim()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
