import type { BodyOf } from '@kinora/contract/endpoint.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import {
  type NewShareLink,
  type openLockedVideo,
  type ShareLink,
  type SharedVideo,
  shareLinksPerSubject,
} from '@kinora/contract/videos/share-links.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { hashOfToken, newToken } from '@kinora/platform/secret-token.ts'
import type { Context, WebContext } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { mayViewVideo, type ShareVisit } from '../../visibility/queries.ts'
import { hashPassword, verifyPassword } from '../../accounts/users/actions/hash-password.ts'
import { withOwnVideo } from '../captions/actions/change-captions.ts'
import { getVideo } from '../videos/queries/videos.ts'
import { shareLinkLimits } from './limits.ts'
import {
  countLinks,
  deleteLink,
  findLink,
  findPlaylistOfVisit,
  findVideoOfVisit,
  hasLock,
  insertLink,
  insertVisit,
  isLockable,
  listLinks,
  type Subject,
  updateVisit,
} from './queries/links.ts'
import { toShareLink, toSharedVideo } from './rules.ts'

/** Runs a change of links in a transaction in which nobody else changes their subject, which the caller owns. */
type InOwn = <Result>(work: (transaction: Db) => Promise<Result>) => Promise<Result>

/** The subject of links, in a transaction that checks that it is the caller's. */
export interface OwnSubject {
  to: Subject
  inOwn: InOwn
}

export const ownVideo = (db: Db, videoId: string, userId: string, actorId: string): OwnSubject => ({
  to: { videoId },
  inOwn: (work) => withOwnVideo(db, { videoId, userId, actorId, role: 'manager' }, work),
})

/** The links to something of the caller. Throws what `inOwn` does for that of others. */
export async function listLinksTo({ to, inOwn }: OwnSubject): Promise<ShareLink[]> {
  const links = await inOwn((transaction) => listLinks(transaction, to))
  return links.map(toShareLink)
}

/** Creates a link. Throws like `listLinksTo`, and `invalid` where there are too many. */
export async function addShareLink(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  { to, inOwn }: OwnSubject,
  { name, password, expiresAt, maxViewers, allowsDownload, ...lock }: NewShareLink & Lock,
): Promise<ShareLink> {
  const end = expiresAt === undefined ? null : new Date(expiresAt)
  if (end && end <= clock.now()) throw new AppError(videoErrors.publishAtPast, { path: 'expiresAt' })
  const isListed = lock.isListed ?? false
  if (isListed && password === undefined)
    throw new AppError(videoErrors.lockNeedsPassword, { path: 'password' })
  const passwordHash = password === undefined ? null : await hashPassword(config, password)
  const link = await inOwn(async (transaction) => {
    if ((await countLinks(transaction, to)) >= shareLinksPerSubject)
      throw new AppError(videoErrors.shareLinkLimit, { limit: shareLinksPerSubject })
    if (isListed && 'videoId' in to) await assertLockable(transaction, to.videoId)
    return insertLink(transaction, {
      ...to,
      id: newId(),
      name,
      secret: newToken(),
      passwordHash,
      expiresAt: end,
      maxViewers: maxViewers ?? null,
      allowsDownload: allowsDownload ?? false,
      createdAt: clock.now(),
      isListed,
      showsPicture: isListed && (lock.showsPicture ?? false),
    })
  })
  return toShareLink(link)
}

/** The choice of listing the video with a lock. */
interface Lock {
  isListed?: boolean | undefined
  showsPicture?: boolean | undefined
}

async function assertLockable(db: Db, videoId: string): Promise<void> {
  if (await hasLock(db, videoId)) throw new AppError(videoErrors.lockExists)
  if (!(await isLockable(db, videoId))) throw new AppError(videoErrors.lockOfOpenVideo)
}

/** Revokes a link; its viewers get no further byte. Throws like `listLinksTo`. */
export async function revokeShareLink({ to, inOwn }: OwnSubject, linkId: string): Promise<void> {
  await inOwn((transaction) => deleteLink(transaction, to, linkId))
}

/**
 * Opens a link for a browser; the video is null where it is to a playlist. Throws `not_found` for one that was revoked, has ended, or to what nobody may see, and
 * `forbidden` where its password is missing or wrong, or it has all the viewers it is for; `too_many_requests` after too many
 * wrong passwords.
 */
export async function openLink(
  context: Pick<WebContext, 'db' | 'limits' | 'clock'>,
  by: { secret: string } | { lockedId: string },
  { password, visit }: BodyOf<typeof openLockedVideo>,
  from: { address: string; network: string },
): Promise<{ visit: string; video: SharedVideo | null }> {
  const { db, clock } = context
  const now = clock.now()
  const link = await findLink(db, by, now)
  if (!link) throw linkGone()
  const opened = async (token: string) => {
    if (link.videoId === null) return { visit: token, video: null }
    const video = await getVideo(db, link.videoId, { tokenHash: hashOfToken(token), now })
    return { visit: token, video: toSharedVideo(video, token, link.allowsDownload) }
  }
  if (visit !== undefined && (await updateVisit(db, link.id, hashOfToken(visit), now))) return opened(visit)
  if (link.passwordHash !== null) await assertPassword(context, link.id, link.passwordHash, password, from)
  context.limits.of(shareLinkLimits).viewers.assertAllowed(`${from.network} ${link.id}`)
  const token = newToken()
  if (!(await insertVisit(db, link.id, hashOfToken(token), now)))
    throw new AppError(videoErrors.shareLinkUsedUp)
  return opened(token)
}

const linkGone = () => new AppError(videoErrors.shareLinkGone)

/** The id of the video that a browser has opened by a link, of several `requested`, unless it may not view that. */
async function findViewableVideo(db: Db, visit: ShareVisit, requested?: string): Promise<string | undefined> {
  const videoId = await findVideoOfVisit(db, visit.tokenHash, requested)
  return videoId !== undefined && (await mayViewVideo(db, videoId, visit)) ? videoId : undefined
}

/** As `findViewableVideo`. Throws `not_found` after the link has ended. */
export async function getVideoOfVisit(db: Db, visit: ShareVisit, requested?: string): Promise<string> {
  const videoId = await findViewableVideo(db, visit, requested)
  if (videoId === undefined) throw linkGone()
  return videoId
}

/** The playlist that a browser has opened by a link. Throws `not_found` after the link has ended. */
export async function getPlaylistOfVisit(db: Db, visit: ShareVisit) {
  const playlist = await findPlaylistOfVisit(db, visit)
  if (!playlist) throw linkGone()
  return playlist
}

/** A video of a playlist that a browser has opened by a link. Only those of its owner can be downloaded. */
export async function getVideoOfPlaylist(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { visit: token, videoId }: { visit: string; videoId: string },
): Promise<SharedVideo> {
  const visit = { tokenHash: hashOfToken(token), now: clock.now() }
  const { ownerId, allowsDownload } = await getPlaylistOfVisit(db, visit)
  const viewable = await findViewableVideo(db, visit, videoId)
  if (viewable === undefined) throw new AppError(videoErrors.sharedVideoUnlisted)
  const video = await getVideo(db, viewable, visit)
  return toSharedVideo(video, token, allowsDownload && video.videoOwner._id === ownerId)
}

/** Counts an attempt before it checks the password, and takes it back if that is right: only failures add up. */
async function assertPassword(
  { db, limits }: Pick<WebContext, 'db' | 'limits'>,
  linkId: string,
  passwordHash: string,
  password: string | undefined,
  { address, network }: { address: string; network: string },
): Promise<void> {
  if (password === undefined || password === '') throw new AppError(videoErrors.sharePasswordRequired)
  const { ofLinkAndNetwork, ofAddress } = limits.of(shareLinkLimits)
  const key = `${network} ${linkId}`
  await ofLinkAndNetwork.assertAllowed(db, key)
  await ofAddress.assertAllowed(db, address)
  if (!(await verifyPassword(passwordHash, password)))
    throw new AppError(videoErrors.sharePasswordWrong, { path: 'password' })
  await ofLinkAndNetwork.giveBack(db, key)
  await ofAddress.giveBack(db, address)
}
