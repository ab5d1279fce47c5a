import type { Video } from '@kinora/contract/videos/videos.ts'

/** Whether everybody is watching a video together at a time. */
export const isRunning = (
  { premiereAt, duration }: Pick<Video, 'premiereAt' | 'duration'>,
  nowMs: number,
): boolean =>
  premiereAt !== undefined &&
  nowMs >= Date.parse(premiereAt) &&
  nowMs < Date.parse(premiereAt) + duration * 1000
