import type { ObjectHeaders } from '@kinora/platform/http/delivery/send-object.ts'
import type { PlannedVideo } from './presentations.ts'

const immutable = 'public, max-age=31536000, immutable'
/**
 * For playlists: the owner may cut the video at any moment, and viewers get that within this time. Caches between them and the
 * server still answer most requests for a popular video.
 */
export const briefly = 'public, max-age=1'
/** For videos with restricted visibility. */
export const never = 'private, no-store'

/**
 * The bytes of a video with restricted visibility are never cached, and no presigned URL outlives a change of
 * visibility.
 */
export function fileHeaders({ isOpen }: PlannedVideo, type: string): ObjectHeaders {
  return isOpen ? { type, cacheControl: immutable } : { type, cacheControl: never, isSameOriginOnly: true }
}
