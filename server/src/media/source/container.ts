import { decoderList } from './decoders.ts'

/** The accepted containers. */
export type Container = 'mp4' | 'webm' | 'ogg'

/** Number of leading bytes that `sniffContainer` needs. */
export const SNIFF_BYTES = 4096

const mp4Brand = /^(iso[m0-9a-z]|mp4[12]|avc1|M4V[ HP]?|MSNV|dash|f4v|F4V|cmf[c2]|mmp4)/i
/** QuickTime and 3GPP brands, which are refused whatever compatible brands they list. */
const relativeBrand = /^(qt {2}|3g)/
const stillImageBrand = /^(mif1|msf1|hei[cfxsm]|hev[cxms]|avi[fs]|crx|jp[2xm]|jxl)/i

/**
 * Detects the container by first bytes, never by file name. QuickTime (`qt  `), 3GPP (`3gp4`, `3g2a`) and Matroska
 * other than WebM are not accepted: browsers do not play them alike.
 */
export function sniffContainer(head: Uint8Array): Container | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (bytes.length < 12) return undefined
  if (bytes.toString('latin1', 0, 4) === 'OggS') return 'ogg'
  if (bytes.readUInt32BE(0) === 0x1a45dfa3) return sniffDocType(bytes) === 'webm' ? 'webm' : undefined
  if (bytes.toString('latin1', 4, 8) === 'ftyp') return isMp4(bytes) ? 'mp4' : undefined
  return undefined
}

function isMp4(bytes: Buffer): boolean {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length)
  const major = bytes.toString('latin1', 8, 12)
  if (relativeBrand.test(major) || stillImageBrand.test(major)) return false
  if (mp4Brand.test(major)) return true
  for (let at = 16; at + 4 <= end; at += 4) {
    if (mp4Brand.test(bytes.toString('latin1', at, at + 4))) return true
  }
  return false
}

/** The DocType element (0x4282) of an EBML header. */
function sniffDocType(bytes: Buffer): string | undefined {
  const at = bytes.indexOf(Buffer.from([0x42, 0x82]), 4)
  if (at < 0 || at > 64) return undefined
  const length = (bytes[at + 2] ?? 0) & 0x7f
  return bytes.toString('latin1', at + 3, at + 3 + length).replaceAll('\0', '')
}

/**
 * The demuxer is named after our own detection: a playlist or a concat script that poses as a video is never opened.
 */
const demuxers: Record<Container, string> = { mp4: 'mov', webm: 'matroska', ogg: 'ogg' }

/** The readable part of a file: all of it, or its first bytes. */
export type SourceFile = { container: Container; wholeBytes?: number | undefined }

/** Input options for a source, the same for every run; `location` is a path, or a URL of the object store. */
export function inputArgs({ container, wholeBytes }: SourceFile, location: string): string[] {
  const isRemote = location.includes('://')
  const protocols = isRemote ? 'http,https,tcp,tls' : 'file'
  const input = isRemote ? location : `file:${location}`
  const [allowed, whole] =
    wholeBytes === undefined
      ? [protocols, input]
      : [`${protocols},subfile`, `subfile,,start,0,end,${wholeBytes},,:${input}`]
  const allowLists = ['-protocol_whitelist', allowed, '-codec_whitelist', decoderList]
  return [...allowLists, '-f', demuxers[container], '-i', whole]
}
