import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

/** Returns functions that compress a body. `brotliQuality` is 0 to 11. */
export const compressorsOf = (brotliQuality: number) => ({
  br: (body: string | Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (body: string | Buffer) => promisify(gzip)(body),
})

/** Returns a weak ETag, which is the same for every content encoding. */
export function etagOf(content: string | Uint8Array): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/** Returns the smallest available encoding that the client accepts. */
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
  const accepts = (encoding: Encoding) => (accepted.get(encoding) ?? 0) > 0 && bodies[encoding] !== undefined
  if (accepts('br')) return 'br'
  return accepts('gzip') ? 'gzip' : 'identity'
}

/** Evaluates If-Match (RFC 9110, section 13.1.1). Weak ETags never match. */
export function meetsIfMatch(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return !etag.startsWith('W/') && ifMatch.split(',').some((tag) => tag.trim() === etag)
}

/** Whether If-None-Match (RFC 9110, section 13.1.2) names this content. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => bare(tag) === bare(etag))
}
