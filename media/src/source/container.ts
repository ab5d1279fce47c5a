import type { FileFormat } from '@kinora/contract/videos/file-formats.ts'
import { decoderList } from './decoders.ts'

/** The containers of stored sources. */
export type Container = 'mp4' | 'webm' | 'ogg'

/** Number of leading bytes that `sniffFormat` needs. */
export const SNIFF_BYTES = 4096

const mp4Brand = /^(iso[m0-9a-z]|mp4[12]|avc1|M4V[ HP]?|MSNV|dash|f4v|F4V|cmf[c2]|mmp4)/i
const audioBrand = /^M4[ABP] /
const quickTimeBrand = 'qt  '
/** Old QuickTime files begin with another box than `ftyp`. */
const quickTimeBoxes = ['moov', 'mdat', 'wide', 'pnot']
const relatedBrand = /^3g/
const stillImageBrand = /^(mif1|msf1|hei[cfxsm]|hev[cxms]|avi[fs]|crx|jp[2xm]|jxl)/i

/** Containers by format; files of the other formats are converted to MP4. */
const containerOf: Partial<Record<FileFormat, Container>> = {
  mp4: 'mp4',
  mov: 'mp4',
  m4a: 'mp4',
  webm: 'webm',
  mkv: 'webm',
  ogg: 'ogg',
}

/** The container by which a file is read: QuickTime is read like MP4, Matroska like WebM. */
export function sniffContainer(head: Uint8Array): Container | undefined {
  const format = sniffFormat(head)
  return format && containerOf[format]
}

/** Detects the format by first bytes, never by file name. */
export function sniffFormat(head: Uint8Array): FileFormat | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (bytes.length < 12) return undefined
  const text = bytes.toString('latin1', 0, 12)
  if (text.startsWith('OggS')) return 'ogg'
  if (bytes.readUInt32BE(0) === 0x1a45dfa3) return formatOfDocType(sniffDocType(bytes))
  if (text.slice(4, 8) === 'ftyp') return sniffBrand(bytes)
  if (quickTimeBoxes.includes(text.slice(4, 8))) return 'mov'
  if (text.startsWith('RIFF') && text.slice(8) === 'AVI ') return 'avi'
  if (isTransportStream(bytes)) return 'ts'
  if (text.startsWith('ID3') || isMp3Frame(bytes)) return 'mp3'
  return undefined
}

/** 3GPP (`3gp4`, `3g2a`) is refused whatever compatible brands it lists: browsers do not play it alike. */
function sniffBrand(bytes: Buffer): FileFormat | undefined {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length)
  const major = bytes.toString('latin1', 8, 12)
  if (major === quickTimeBrand) return 'mov'
  if (relatedBrand.test(major) || stillImageBrand.test(major)) return undefined
  if (mp4Brand.test(major)) return 'mp4'
  for (let at = 16; at + 4 <= end; at += 4) {
    if (mp4Brand.test(bytes.toString('latin1', at, at + 4))) return audioBrand.test(major) ? 'm4a' : 'mp4'
  }
  return audioBrand.test(major) ? 'm4a' : undefined
}

function formatOfDocType(docType: string | undefined): FileFormat | undefined {
  if (docType === 'matroska') return 'mkv'
  return docType === 'webm' ? 'webm' : undefined
}

/** Three synchronization bytes at the distance of packets; those of AVCHD have four bytes more, which come first. */
function isTransportStream(bytes: Buffer): boolean {
  return [
    { first: 0, distance: 188 },
    { first: 4, distance: 192 },
  ].some(({ first, distance }) => [0, 1, 2].every((packet) => bytes[first + packet * distance] === 0x47))
}

/** The header of an MPEG audio frame of layer III. */
function isMp3Frame(bytes: Buffer): boolean {
  const header = bytes.readUInt16BE(0)
  return (header & 0xffe0) === 0xffe0 && (header & 0x0006) === 0x0002
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
const demuxers: Record<FileFormat, string> = {
  mp4: 'mov',
  mov: 'mov',
  m4a: 'mov',
  webm: 'matroska',
  mkv: 'matroska',
  ogg: 'ogg',
  avi: 'avi',
  ts: 'mpegts',
  mp3: 'mp3',
}

/** The readable part of a file: all of it, or its first bytes. */
export type SourceFile = { container: Container; wholeBytes?: number | undefined }

/** Input options for a source, the same for every run; `location` is a path, or a URL of the object store. */
export function inputArgs(
  { container, wholeBytes }: { container: FileFormat; wholeBytes?: number | undefined },
  location: string,
): string[] {
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
