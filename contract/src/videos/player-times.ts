/** Parses a time in a URL: 90, 90s, 1m30s, 1h2m3s, 1:30, 1:02:03. Undefined if it is none of these. */
export function parseTime(text: string | null): number | undefined {
  if (!text) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  if (/^\d+(:\d{1,2}){1,2}$/.test(text))
    return text.split(':').reduce((total, part) => total * 60 + Number(part), 0)
  const units = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/i.exec(text)
  if (!units) return undefined
  const [, hours = 0, minutes = 0, seconds = 0] = units
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/** The times of a URL: where playback starts, `?t=` or `?start=`, and where it pauses, `?end=`. An end before the start counts as none. */
export function parseTimes(query: URLSearchParams): {
  startSeconds: number | undefined
  endSeconds: number | undefined
} {
  const startSeconds = parseTime(query.get('t') ?? query.get('start'))
  const end = parseTime(query.get('end'))
  return { startSeconds, endSeconds: end !== undefined && end > (startSeconds ?? 0) ? end : undefined }
}

/** The query of a URL that plays a part of a video: "?t=730&end=760", empty for all of it. */
export function timesQuery({
  startSeconds,
  endSeconds,
}: {
  startSeconds?: number | undefined
  endSeconds?: number | undefined
}): string {
  const times = new URLSearchParams()
  if (startSeconds !== undefined) times.set('t', String(startSeconds))
  if (endSeconds !== undefined) times.set('end', String(endSeconds))
  return times.size > 0 ? `?${times}` : ''
}
