import type { Visibility } from '@kinora/contract/videos.ts'
import type { Container } from '../../media/source/container.ts'

/** Where uploaded files are kept. */
export const sourcesPrefix = 'sources/'

/** What files of a container end with. */
const extensionOf: Record<Container, string> = { mp4: 'mp4', webm: 'webm', ogg: 'ogv' }

/**
 * The address of an uploaded file says where it is kept, so that a web server in front can send it without asking us
 * (docs/decisions/0013-delivery.md). It holds for one upload, and nobody can guess it.
 */
export function sourceAddress(sourceKey: string, container: Container): string {
  return `/media/${sourceKey}.${extensionOf[container]}`
}

/** Whether the files of a video may be sent to everybody who has their address. */
export const isOpenToAll = (visibility: Visibility) => visibility === 'public' || visibility === 'unlisted'

/** Below this stands a mark for each video, and each thumbnail, whose files are there, but not for everybody. */
export const HIDDEN_PREFIX = 'hidden/'

/** Where the mark of a video or a thumbnail stands: who sends files of the storage without asking us has to ask about this one. */
export const hiddenKey = (id: string) => `${HIDDEN_PREFIX}${id}`

export const idOfHidden = (key: string) => key.slice(HIDDEN_PREFIX.length)
