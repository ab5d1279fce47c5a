import type { KeptRange, VideoCut } from '@kinora/contract/videos/cuts.ts'
import { keptSeconds } from '@kinora/contract/videos/cut-times.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { cutKeyOf } from '@kinora/media/plan/cut.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { publishVisibility } from '../../../visibility/queries.ts'
import { assertStillWorksOn } from '../../collaborators/actions.ts'
import { prepareCutOf } from '../../playback/actions/prepare-video.ts'
import { getPlannedVideo } from '../../playback/actions/with-video.ts'
import { assertNotLive, assertOwnVideo, lockOwnVideo } from '../../videos/actions/change-video.ts'
import { hideFiles, showFiles } from '../../videos/actions/hide-video.ts'
import { insertCut, updateDescriptionCut } from '../../videos/queries/cuts.ts'
import { updateCut } from '../../videos/queries/videos.ts'
import { deleteCutDeletion, findCutDeletion, findCutTime } from '../queries.ts'
import { checkRanges, toVideoCut } from '../rules.ts'

interface OwnVideo {
  videoId: string
  userId: string
}

/** The cut of an own video. Throws `not_found`, `forbidden` for anybody else, or `conflict` while it is live. */
export async function getOwnCut(
  { db }: Pick<Context, 'db'>,
  { videoId, userId }: OwnVideo,
): Promise<VideoCut> {
  await assertOwnVideo(db, videoId, userId)
  await assertNotLive(db, videoId)
  return readCut(db, videoId)
}

/**
 * Publishes a cut of an own video; ranges of all of it end the cut. Its files are marked before the row changes, so that a
 * reverse proxy asks about each. Throws like `getOwnCut`, `invalid` for ranges that cannot be kept, and `conflict` if the cut was
 * changed at another time than `seenAt`, where that is known.
 */
export async function publishCut(
  { db, storage, clock, jobs }: Pick<Context, 'db' | 'storage' | 'clock' | 'jobs'>,
  { videoId, userId, actorId = userId }: OwnVideo & { actorId?: string },
  { ranges, seenAt }: { ranges: readonly KeptRange[] | null; seenAt?: string | null | undefined },
): Promise<VideoCut> {
  const cut = await db.transaction().execute(async (transaction) => {
    await lockOwnVideo(transaction, videoId, userId)
    await assertStillWorksOn(transaction, actorId, userId)
    await assertNotLive(transaction, videoId)
    await changeCut({ db: transaction, storage, jobs }, videoId, { publishedAt: clock.now(), ranges, seenAt })
    return readCut(transaction, videoId)
  })
  if (cut.publishedAt === null) await showFiles({ db, storage }, videoId)
  return cut
}

interface RestoredCut {
  publishedAt: Date
  ranges: readonly KeptRange[]
  /** Whether the description has its times. */
  isInDescription: boolean
}

/** Cuts a video as an archive says. The caller has its lock. Throws `invalid` before it changes anything. */
export async function restoreCut(
  { db, storage, jobs, clock }: Pick<Context, 'db' | 'storage' | 'jobs' | 'clock'>,
  videoId: string,
  { publishedAt, ranges, isInDescription }: RestoredCut,
): Promise<void> {
  const now = clock.now()
  await changeCut({ db, storage, jobs }, videoId, {
    publishedAt: publishedAt > now ? now : publishedAt,
    ranges,
  })
  if (isInDescription) await updateDescriptionCut(db, videoId)
}

async function changeCut(
  { db, storage, jobs }: Pick<Context, 'db' | 'storage' | 'jobs'>,
  videoId: string,
  {
    publishedAt,
    ranges,
    seenAt,
  }: { publishedAt: Date; ranges: readonly KeptRange[] | null; seenAt?: string | null | undefined },
): Promise<void> {
  const { presentation, cut: before } = await getPlannedVideo(db, videoId)
  const { timeline } = presentation
  const keep = ranges && checkRanges(timeline, ranges)
  if ((keep && cutKeyOf(keep)) === (before && cutKeyOf(before))) return
  if (seenAt !== undefined && timeOf(seenAt) !== (await findCutTime(db, videoId))?.getTime())
    throw new AppError(videoErrors.cutChanged)
  // a deletion of what another cut removed ends
  await deleteCutDeletion(db, videoId)
  if (keep) await hideFiles({ storage }, videoId)
  await updateCut(db, videoId, keep, keep ? keptSeconds(keep) : timeline.durationSeconds)
  await insertCut(db, { videoId, publishedAt, keep })
  await publishVisibility(db, videoId)
  if (keep) await prepareCutOf({ db, jobs }, { id: videoId, cut: keep })
}

const timeOf = (time: string | null) => (time === null ? undefined : new Date(time).getTime())

export async function readCut(db: Db, videoId: string): Promise<VideoCut> {
  return toVideoCut(await getPlannedVideo(db, videoId), {
    cutAt: await findCutTime(db, videoId),
    deletion: await findCutDeletion(db, videoId),
  })
}
