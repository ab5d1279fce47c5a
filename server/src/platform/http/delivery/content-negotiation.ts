import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

/** Compress answers that are made now; `brotliQuality` is 0 to 11, and what is sent often is worth more of it. */
export const compressorsOf = (brotliQuality: number) => ({
  br: (body: string | Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (body: string | Buffer) => promisify(gzip)(body),
})

/** A validator that holds for every encoding of the same content, hence weak. */
export function etagOf(content: string | Uint8Array): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/** The smallest form that the client takes. */
export function chooseEncoding(
  acceptEncoding: string | undefined,
  bodies: Partial<Record<Encoding, unknown>>,
): Encoding {
  const accepted = new Map(
    (acceptEncoding ?? '').split(',').map((item) => {
      const [name = '', quality = 'q=1'] = item
        .toLowerCase()
        .split(';')
        .map((part) => part.trim())
      return [name, Number(quality.replace(/^q=/, ''))] as const
    }),
  )
  const takes = (encoding: Encoding) => (accepted.get(encoding) ?? 0) > 0 && bodies[encoding] !== undefined
  if (takes('br')) return 'br'
  return takes('gzip') ? 'gzip' : 'identity'
}

/** Whether we hold what the client asks about: If-Match (RFC 9110, section 13.1.1), for which a weak validator never does. */
export function meetsIfMatch(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return !etag.startsWith('W/') && ifMatch.split(',').some((tag) => tag.trim() === etag)
}

/** Whether the client holds the content already: If-None-Match (RFC 9110, section 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => bare(tag) === bare(etag))
}
