import type { KeptRange, VideoCut } from '@kinora/contract/videos/cuts.ts'
import { keptSeconds } from '@kinora/contract/videos/cut-times.ts'
import { cutKeyOf } from '@kinora/media/plan/cut.ts'
import type { Context } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { publishVisibility } from '../../visibility/queries.ts'
import { assertStillWorksOn } from '../collaborators/actions.ts'
import { prepareCutOf } from '../playback/actions/prepare-video.ts'
import { getPlannedVideo } from '../playback/actions/with-video.ts'
import { assertOwnVideo, lockOwnVideo } from '../videos/actions/change-video.ts'
import { hideFiles, showFiles } from '../videos/actions/hide-video.ts'
import { insertCut } from '../videos/queries/cuts.ts'
import { updateCut } from '../videos/queries/videos.ts'
import { listCuts } from './queries.ts'
import { checkRanges, toVideoCut } from './rules.ts'

interface OwnVideo {
  videoId: string
  userId: string
}

/** The cut of an own video. Throws `not_found`, or `forbidden` for anybody else. */
export async function getOwnCut(
  { db }: Pick<Context, 'db'>,
  { videoId, userId }: OwnVideo,
): Promise<VideoCut> {
  await assertOwnVideo(db, videoId, userId)
  return readCut(db, videoId)
}

/**
 * Publishes a cut of an own video; ranges of all of it end the cut. Its files are marked before the row changes, so that a
 * reverse proxy asks about each. Throws like `getOwnCut`, and `invalid` for ranges that cannot be kept.
 */
export async function publishCut(
  { db, storage, clock, jobs }: Pick<Context, 'db' | 'storage' | 'clock' | 'jobs'>,
  { videoId, userId, actorId = userId }: OwnVideo & { actorId?: string },
  ranges: readonly KeptRange[] | null,
): Promise<VideoCut> {
  const cut = await db.transaction().execute(async (transaction) => {
    await lockOwnVideo(transaction, videoId, userId)
    await assertStillWorksOn(transaction, actorId, userId)
    const { presentation, cut: before } = await getPlannedVideo(transaction, videoId)
    const { timeline } = presentation
    const keep = ranges && checkRanges(timeline, ranges)
    if ((keep && cutKeyOf(keep)) === (before && cutKeyOf(before))) return readCut(transaction, videoId)
    if (keep) await hideFiles({ storage }, videoId)
    await updateCut(transaction, videoId, keep, keep ? keptSeconds(keep) : timeline.durationSeconds)
    await insertCut(transaction, { videoId, publishedAt: clock.now(), keep })
    await publishVisibility(transaction, videoId)
    if (keep) await prepareCutOf({ db: transaction, jobs }, { id: videoId, cut: keep })
    return readCut(transaction, videoId)
  })
  if (cut.publishedAt === null) await showFiles({ db, storage }, videoId)
  return cut
}

async function readCut(db: Db, videoId: string): Promise<VideoCut> {
  return toVideoCut(await getPlannedVideo(db, videoId), await listCuts(db, videoId))
}
