import { t } from '@lingui/core/macro'
import { defaultFormats } from '@kinora/contract/videos/file-formats.ts'
import { settings } from '../../../lib/settings.ts'

/** Messages for files that cannot be published. */
export const damagedMessages = {
  get empty() {
    return t`This file is empty.`
  },
  get notVideo() {
    return t`This file is damaged or is not an MP4, WebM or Ogg video.`
  },
  get incomplete() {
    return t`This file is incomplete. Choose a complete copy.`
  },
}

const HEAD_BYTES = 64 * 1024
/** Longer indexes are left to the server. */
const MAX_INDEX_BYTES = 32 * 1024 * 1024
const MAX_BOXES = 1000

/** Signatures of Ogg video codecs in the first pages. */
const OGG_VIDEO_CODECS = ['theora', 'OVP80', 'BBCD']
const OGG_HEAD_BYTES = 4096

/**
 * The reason why a file certainly cannot be published, or undefined. Checks only the container: the server converts codecs
 * that the browser cannot decode, such as HEVC or Theora.
 */
export async function contentsError(file: File): Promise<string | undefined> {
  if (file.size === 0) return damagedMessages.empty
  const head = await readHead(file)
  const hasMore = settings.acceptedContainers.some((format) => !defaultFormats.includes(format))
  // formats beyond the default ones are left to the server
  if (hasMore) return undefined
  if (head.startsWith('OggS')) return hasOggVideo(head) ? undefined : videoTypeError()
  if (head.startsWith('\x1a\x45\xdf\xa3')) return webmError(head)
  return /^.{4}(ftyp|moov|mdat|free|skip|wide|pnot|styp|sidx|uuid)/s.test(head)
    ? mp4Error(file)
    : damagedMessages.notVideo
}

/** The first bytes of a file, decoded as Latin-1. */
export async function readHead(file: File): Promise<string> {
  return latin1(await bytesOf(file, 0, HEAD_BYTES))
}

/** Whether the head of an Ogg file, decoded as Latin-1, contains a video codec. */
export function hasOggVideo(head: string): boolean {
  const pages = head.slice(0, OGG_HEAD_BYTES)
  return OGG_VIDEO_CODECS.some((codec) => pages.includes(codec))
}

/** Tracks are usually listed in the head. Without a known codec there, the server decides. */
function webmError(head: string): string | undefined {
  const hasAudio = /A_(OPUS|VORBIS|AAC|MPEG|FLAC|PCM|AC3)/.test(head)
  return hasAudio && !/V_[A-Z]/.test(head) ? videoTypeError() : undefined
}

/** Finds the `moov` box (ISO/IEC 14496-12) and checks that it has a video track. */
async function mp4Error(file: File): Promise<string | undefined> {
  let offset = 0
  for (let boxes = 0; boxes < MAX_BOXES && offset + 8 <= file.size; boxes++) {
    const header = new DataView((await bytesOf(file, offset, 16)).buffer)
    const size = boxSize(header, file.size - offset)
    if (size === undefined) return undefined
    if (latin1(new Uint8Array(header.buffer, 4, 4)) !== 'moov') {
      offset += size
      continue
    }
    if (offset + size > file.size) return damagedMessages.incomplete
    if (size > MAX_INDEX_BYTES) return undefined
    const index = latin1(await bytesOf(file, offset, size))
    return /hdlr.{8}soun/s.test(index) && !/hdlr.{8}vide/s.test(index) ? videoTypeError() : undefined
  }
  return offset >= file.size ? damagedMessages.incomplete : undefined
}

/** The size of a box in bytes; undefined if invalid. A stored 0 means up to the end of the file. */
function boxSize(header: DataView, restBytes: number): number | undefined {
  const size = header.getUint32(0)
  if (size === 0) return restBytes
  if (size === 1) return header.byteLength >= 16 ? Number(header.getBigUint64(8)) || undefined : undefined
  return size >= 8 ? size : undefined
}

async function bytesOf(file: File, start: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.slice(start, start + length).arrayBuffer())
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}

/** The server's error for other formats than those of a site without settings. */
export const videoTypeError = () => t`Invalid file type. Only MP4, WebM, and Ogg are allowed.`
