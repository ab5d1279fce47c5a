export type ParsedRange =
  { kind: 'whole' } | { kind: 'part'; start: number; end: number } | { kind: 'unsatisfiable' }

/**
 * Parses a Range header (RFC 9110, section 14). Multiple ranges, other units and malformed headers are ignored, as the
 * standard allows. `end` is inclusive.
 */
export function parseRange(header: string | undefined, sizeBytes: number): ParsedRange {
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

/** Whether If-Range (RFC 9110, section 13.1.5) permits a partial response. */
export function allowsPart(header: string | undefined, etag: string): boolean {
  return header === undefined || header === etag
}
