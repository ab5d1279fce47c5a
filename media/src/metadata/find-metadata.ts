import type { FileEdit } from '@kinora/platform/files/file-edits.ts'
import type { Container } from '../source/container.ts'
import { rangesOfFile } from '../source/source-bytes.ts'
import { findMp4Metadata } from './mp4-metadata.ts'
import { findOggMetadata } from './ogg-metadata.ts'
import { findWebmMetadata } from './webm-metadata.ts'

/**
 * Edits that blank the tags of a video: place, device, comments, attached files. No byte moves, so indexes, tracks and
 * chapters stay valid. Reads only headers of boxes, elements and pages.
 */
export async function findMetadata(path: string, container: Container): Promise<FileEdit[]> {
  const file = await rangesOfFile(path)
  const find = { mp4: findMp4Metadata, webm: findWebmMetadata, ogg: findOggMetadata }[container]
  return find(file)
}
