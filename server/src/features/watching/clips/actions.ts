import { clipsPerAccount, clipsPerVideo } from '@kinora/contract/watching/clip-limits.ts'
import type { DetailedClip } from '@kinora/contract/watching/clips.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { watchingErrors } from '@kinora/contract/watching/errors.ts'
import type { Context } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { lockUsers } from '../../accounts/users/queries.ts'
import { findModerationFacts } from '../../conversation/comments/queries/moderation.ts'
import { decideModeration, type SiteModeration } from '../../conversation/comments/rules.ts'
import { recordActivity } from '../../videos/collaborators/actions.ts'
import { videoNotFound } from '../../videos/videos/queries/videos.ts'
import * as queries from './queries/clips.ts'

const clipNotFound = () => new AppError(watchingErrors.clipNotFound)

/** A recording ends a little before the length that its player shows. */
const slackSeconds = 0.5

/** Lengths that differ by less are the same: JSON and columns round them. */
const sameLengthSeconds = 0.01

/** A clip that a viewer may see. Throws `not_found`. */
export async function getClip(db: Db, id: string, viewerId: string | null): Promise<DetailedClip> {
  const clip = await queries.findClip(db, id, viewerId)
  if (!clip) throw clipNotFound()
  return clip
}

/**
 * Throws `forbidden` for people whom the owner of the video blocked, and `invalid` for a title with words that the site or the
 * channel watches. A title cannot wait for approval, so what holds a comment refuses it, also the rules for first comments and links.
 */
async function assertTitleAllowed(
  db: Db,
  { userId, videoId, title }: { userId: string; videoId: string; title: string },
  site: SiteModeration,
): Promise<void> {
  const { channel, isBlocked, ...author } = await findModerationFacts(
    db,
    userId,
    { videoId },
    { published: true, publishedLink: true },
  )
  if (isBlocked) throw new AppError(watchingErrors.clipBlocked)
  const decision = decideModeration(title, author, site, { ...channel, holdsAll: false })
  if (decision !== 'publish') throw new AppError(watchingErrors.clipWords, { path: 'title' })
}

/**
 * Makes a clip of a video. Throws `not_found` for one that its maker may not see, `forbidden` where its owner does not allow
 * clips, `invalid` for a part beyond its end, and `conflict` above a limit, or if the video was cut since its player was opened.
 */
export async function createClip(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  clip: Omit<queries.NewClip, 'id' | 'createdAt'> & { durationSeconds?: number | undefined },
  site: SiteModeration,
): Promise<DetailedClip> {
  const { videoId, userId, endSeconds, durationSeconds } = clip
  await assertTitleAllowed(db, clip, site)
  return db.transaction().execute(async (transaction) => {
    await lockUsers(transaction, [userId])
    const facts = await queries.findClipFacts(transaction, videoId, userId)
    if (!facts) throw videoNotFound()
    if (!facts.areAllowed) throw new AppError(watchingErrors.clipsOff)
    if (
      durationSeconds !== undefined &&
      Math.abs(durationSeconds - facts.durationSeconds) > sameLengthSeconds
    )
      throw new AppError(videoErrors.cutChanged)
    if (endSeconds > facts.durationSeconds + slackSeconds)
      throw new AppError(watchingErrors.clipBeyondEnd, { path: 'endSeconds' })
    if (facts.ofAccount >= clipsPerAccount)
      throw new AppError(watchingErrors.clipLimit, { limit: clipsPerAccount })
    if (facts.ofVideo >= clipsPerVideo)
      throw new AppError(watchingErrors.clipLimitOfVideo, { limit: clipsPerVideo })
    const id = newId()
    await queries.insertClip(transaction, { ...clip, id, createdAt: clock.now() })
    return getClip(transaction, id, userId)
  })
}

/** Changes the title of an own clip. Throws `not_found`, and `forbidden` for one of somebody else. */
export async function renameClip(
  db: Db,
  { clipId, userId, title }: { clipId: string; userId: string; title: string },
  site: SiteModeration,
): Promise<DetailedClip> {
  const { isOwn, video } = await getClip(db, clipId, userId)
  if (!isOwn) throw new AppError(watchingErrors.clipNotYours)
  await assertTitleAllowed(db, { userId, videoId: video._id, title }, site)
  if (!(await queries.updateTitle(db, { clipId, userId, title }))) throw clipNotFound()
  return getClip(db, clipId, userId)
}

/** Removes a clip, for its maker and for people of the channel of its video. Throws `not_found`, and `forbidden` for others. */
export async function removeClip(
  context: Pick<Context, 'db' | 'clock' | 'log'>,
  clipId: string,
  userId: string,
): Promise<void> {
  const { videoId, ownerId, makerId } = await context.db.transaction().execute(async (transaction) => {
    const rights = await queries.findRights(transaction, clipId, userId)
    if (!rights || (!rights.isVisible && !rights.mayRemove)) throw clipNotFound()
    if (!rights.mayRemove) throw new AppError(watchingErrors.clipNotYours)
    await queries.deleteClips(transaction, [clipId])
    return rights
  })
  if (makerId !== userId)
    await recordActivity(context, { channelId: ownerId, actorId: userId, action: 'clips_removed', videoId })
}
