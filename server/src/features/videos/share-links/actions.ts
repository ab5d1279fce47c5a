import type { BodyOf } from '@kinora/contract/endpoint.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import {
  type createShareLink,
  type openShareLink,
  type ShareLink,
  type SharedVideo,
  shareLinksPerVideo,
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
  findVideoOfVisit,
  insertLink,
  insertVisit,
  listLinks,
  updateVisit,
} from './queries.ts'
import { toShareLink, toSharedVideo } from './rules.ts'

interface OwnVideo {
  videoId: string
  userId: string
}

/** The links to an own video. Throws `not_found`, or `forbidden` for anybody else. */
export async function listShareLinks({ db }: Pick<Context, 'db'>, video: OwnVideo): Promise<ShareLink[]> {
  const links = await withOwnVideo(db, video, (transaction) => listLinks(transaction, video.videoId))
  return links.map(toShareLink)
}

/** Creates a link to an own video. Throws like `listShareLinks`, and `invalid` where the video has too many. */
export async function addShareLink(
  { db, config, clock }: Pick<Context, 'db' | 'config' | 'clock'>,
  video: OwnVideo,
  { name, password, expiresAt, maxViewers, allowsDownload }: BodyOf<typeof createShareLink>,
): Promise<ShareLink> {
  const end = expiresAt === undefined ? null : new Date(expiresAt)
  if (end && end <= clock.now()) throw new AppError(videoErrors.publishAtPast, { path: 'expiresAt' })
  const passwordHash = password === undefined ? null : await hashPassword(config, password)
  const link = await withOwnVideo(db, video, async (transaction) => {
    const { videoId } = video
    if ((await countLinks(transaction, videoId)) >= shareLinksPerVideo)
      throw new AppError(videoErrors.shareLinkLimit, { limit: shareLinksPerVideo })
    return insertLink(transaction, {
      id: newId(),
      videoId,
      name,
      secret: newToken(),
      passwordHash,
      expiresAt: end,
      maxViewers: maxViewers ?? null,
      allowsDownload: allowsDownload ?? false,
      createdAt: clock.now(),
    })
  })
  return toShareLink(link)
}

/** Revokes a link to an own video; its viewers get no further byte. Throws like `listShareLinks`. */
export async function revokeShareLink(
  { db }: Pick<Context, 'db'>,
  video: OwnVideo,
  linkId: string,
): Promise<void> {
  await withOwnVideo(db, video, (transaction) => deleteLink(transaction, video.videoId, linkId))
}

/**
 * Opens a link for a browser. Throws `not_found` for one that was revoked, has ended, or whose video nobody may see, and
 * `forbidden` where its password is missing or wrong, or it has all the viewers it is for; `too_many_requests` after too many
 * wrong passwords.
 */
export async function openLink(
  context: Pick<WebContext, 'db' | 'limits' | 'clock'>,
  { secret, password, visit }: BodyOf<typeof openShareLink>,
  from: { address: string; network: string },
): Promise<{ visit: string; video: SharedVideo }> {
  const { db, clock } = context
  const now = clock.now()
  const link = await findLink(db, secret, now)
  if (!link) throw new AppError(videoErrors.shareLinkGone)
  const opened = async (token: string) => {
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

/** The id of the video that a browser has opened by a link. Throws `not_found` after the link has ended. */
export async function getVideoOfVisit(db: Db, visit: ShareVisit): Promise<string> {
  const videoId = await findVideoOfVisit(db, visit.tokenHash)
  if (videoId === undefined || !(await mayViewVideo(db, videoId, visit)))
    throw new AppError(videoErrors.shareLinkGone)
  return videoId
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
