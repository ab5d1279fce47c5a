import type { Visibility } from '@kinora/contract/videos.ts'
import type { Container } from '../../media/source/container.ts'

/** Storage prefix of uploaded files. */
export const sourcesPrefix = 'sources/'

/** File extensions of containers. */
const extensionOf: Record<Container, string> = { mp4: 'mp4', webm: 'webm', ogg: 'ogv' }

/**
 * URL of an uploaded file. It contains the storage key, so that a reverse proxy can serve the file directly
 * (docs/decisions/0013-delivery.md). It is valid for one upload and cannot be guessed.
 */
export function sourceAddress(sourceKey: string, container: Container): string {
  return `/media/${sourceKey}.${extensionOf[container]}`
}

/** Whether the files of a video may be sent to everybody who has their URL. */
export const isOpenToAll = (visibility: Visibility) => visibility === 'public' || visibility === 'unlisted'
