import type { Db } from '../../../../context/database.ts'
import { type ClipSummary, findClipSummary } from '../../clips/queries/clips.ts'
import { type DetailedVideoSummary, findVideoSummary } from '../queries.ts'
import type { Page } from '../rules/page.ts'

/** The video that a page plays, and the clip where it plays a part. */
export interface ShownPlayer {
  video: DetailedVideoSummary
  clip?: ClipSummary
}

/** The video or clip of a page, for a viewer who may see it; null for visitors. */
export async function findPlayer(
  db: Db,
  page: Page,
  viewerId: string | null = null,
): Promise<ShownPlayer | undefined> {
  const clip = 'clipId' in page ? await findClipSummary(db, page.clipId, viewerId) : undefined
  const videoId = 'videoId' in page ? page.videoId : clip?.videoId
  const video = videoId === undefined ? undefined : await findVideoSummary(db, videoId, viewerId)
  return video && { video, ...(clip && { clip }) }
}
