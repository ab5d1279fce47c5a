import { open, stat } from 'node:fs/promises'
import { BoxReader } from '../containers/mp4/boxes.ts'
import { FfmpegError } from '../process/ffmpeg.ts'
import { type Container } from '../source/container.ts'

/** The byte where a file that cannot be read is damaged or ends too early; undefined where nothing tells. */
export async function findDamagePosition(
  path: string,
  container: Container,
  cause: unknown,
): Promise<number | undefined> {
  if (container === 'mp4') return findBrokenBox(path)
  // of the demuxer for WebM: "0x00 at pos 4096 (0x1000) invalid as first byte of an EBML number"
  const stated = cause instanceof FfmpegError ? /\bat pos (\d+)/.exec(cause.stderr)?.[1] : undefined
  return stated === undefined ? undefined : Number(stated)
}

/** Where the outermost boxes of an MP4 end before the file does, or the end of a file that lacks a part of one. */
async function findBrokenBox(path: string): Promise<number | undefined> {
  const { size } = await stat(path)
  await using file = await open(path)
  const read = async (start: number, end: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
    return buffer.subarray(0, bytesRead)
  }
  const boxes = new BoxReader({ sizeBytes: size, read }, 16)
  let at = 0
  for await (const box of boxes.children(0, size)) at = box.end
  if (at === size) return undefined
  const header = await boxes.read(at, Math.min(8, size - at))
  // a box of a known form that is larger than the rest of the file
  const isCut = header !== undefined && (header.length < 8 || /^[\w ]{4}$/.test(header.toString('latin1', 4)))
  return isCut ? size : at
}
