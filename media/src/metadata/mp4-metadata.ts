import type { FileEdit } from '@kinora/platform/files/file-edits.ts'
import { BoxReader, type FoundBox, type Place } from '../containers/mp4/boxes.ts'
import type { SourceRanges } from '../source/source-bytes.ts'

/** Boxes of tags: user data, QuickTime and iTunes metadata, XMP and vendor extensions. */
const TAGS = new Set(['udta', 'meta', 'uuid'])
/** Boxes that contain boxes of tags next to what playback needs. */
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'moof', 'traf'])
/** Chapters in Nero's format, which are no tags. */
const CHAPTERS = 'chpl'

/** Fragments are far apart, so little is read ahead. */
const WINDOW_BYTES = 4096
/** A recording of a day has some hundred thousand boxes. */
const MAX_BOXES = 1_000_000

/** Edits that turn the boxes of tags of an MP4 into free space (ISO/IEC 14496-12, 8.1.2). */
export async function findMp4Metadata(file: SourceRanges): Promise<FileEdit[]> {
  const boxes = new BoxReader(file, WINDOW_BYTES, MAX_BOXES)
  const edits: FileEdit[] = []
  await findTags(boxes, { start: 0, end: file.sizeBytes }, edits)
  return edits
}

async function findTags(boxes: BoxReader, { start, end }: Place, edits: FileEdit[]): Promise<void> {
  for await (const box of boxes.children(start, end)) {
    if (CONTAINERS.has(box.type)) await findTags(boxes, { start: box.content, end: box.end }, edits)
    else if (TAGS.has(box.type)) edits.push(...(await freeAllButChapters(boxes, box)))
  }
}

async function freeAllButChapters(boxes: BoxReader, box: FoundBox): Promise<FileEdit[]> {
  const children: FoundBox[] = []
  if (box.type === 'udta')
    for await (const child of boxes.children(box.content, box.end)) children.push(child)
  if (!children.some(({ type }) => type === CHAPTERS)) return [await markFree(boxes, box)]
  const tags = children.filter(({ type }) => type !== CHAPTERS)
  return Promise.all(tags.map((child) => markFree(boxes, child)))
}

/** Renames the box to `free`. Its header, with a size of 32 or 64 bits, keeps its length. */
async function markFree(boxes: BoxReader, { start, content, end }: FoundBox): Promise<FileEdit> {
  const head = Buffer.from((await boxes.read(start, content - start)) ?? [])
  head.write('free', 4, 'latin1')
  return { start, head, end }
}
