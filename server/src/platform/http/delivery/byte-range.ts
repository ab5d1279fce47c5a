/** What a Range header asks of an object: all of it, a part, or something that it does not have. */
export type RangeAnswer =
  { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'unsatisfiable' }

/**
 * Reads a Range header (RFC 9110, section 14). Several ranges, other units and nonsense count as no range, as the
 * standard allows; `end` is included.
 */
export function parseRange(header: string | undefined, sizeBytes: number): RangeAnswer {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '')
  if (!match) return { kind: 'whole' }
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return { kind: 'whole' }
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes)
    return length === 0
      ? { kind: 'unsatisfiable' }
      : { kind: 'part', start: sizeBytes - length, end: sizeBytes - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return { kind: 'whole' }
  if (start >= sizeBytes) return { kind: 'unsatisfiable' }
  return { kind: 'part', start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) }
}

/** Whether a range may be answered with a part: If-Range names exactly what we have, or is not there. */
export function allowsPart(header: string | undefined, etag: string): boolean {
  return header === undefined || header === etag
}
