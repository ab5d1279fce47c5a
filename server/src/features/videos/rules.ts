import { type Chapter, chaptersOf, endChapters } from '@kinora/contract/chapters.ts'
import type { Visibility } from '@kinora/contract/videos.ts'
import type { Container } from '../../media/source/container.ts'
import type { ChapterInfo } from '../../media/source/source-info.ts'

/** File extensions of containers. */
const extensionOf: Record<Container, string> = { mp4: 'mp4', webm: 'webm', ogg: 'ogv' }

/**
 * URL of an uploaded file. It contains the storage key, so that a reverse proxy can serve the file directly
 * (docs/decisions/0013-delivery.md). It is valid for one upload and cannot be guessed.
 */
export function sourceAddress(sourceKey: string, container: Container): string {
  return `/media/${sourceKey}.${extensionOf[container]}`
}

/** The chapters of a video: those that its description lists, or else those of its file. */
export function listChapters(
  { description, durationSeconds }: { description: string; durationSeconds: number },
  ofFile: ChapterInfo[] | null,
): Chapter[] {
  const described = chaptersOf(description, durationSeconds)
  return described.length > 0 ? described : endChapters(ofFile ?? [], durationSeconds)
}

/** Whether the files of a video may be sent to everybody who has their URL. */
export const isOpenToAll = (visibility: Visibility) => visibility === 'public' || visibility === 'unlisted'
