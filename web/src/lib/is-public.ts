import type { Video } from '@kinora/contract/videos/videos.ts'

/** Whether everybody finds a video. A server may omit the fields, which the specification does not have. */
export const isPublic = ({ visibility, heldVisibility }: Partial<Video>): boolean =>
  heldVisibility === undefined && (visibility === undefined || visibility === 'public')
