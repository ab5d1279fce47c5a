import { isTestAccount } from '@kinora/contract/constants.ts'
import { type ChannelRole, hasChannelRole } from '@kinora/contract/channel-roles.ts'
import type { Endpoint } from '@kinora/contract/endpoint.ts'
import { collaboratorsPerChannel } from '@kinora/contract/videos/collaborators.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { WorkedChannel } from '@kinora/platform/http/routing/route.ts'
import type { Config } from '../../../context/config.ts'
import type { Context } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { sessionsEnded } from '../../../context/topics.ts'
import { getUserId } from '../../accounts/users/queries.ts'
import {
  insertOfferNotification,
  markOfferAsRead,
} from '../../messages/notifications/queries/collaborations.ts'
import { type NewActivity, findTitles, insertActivity } from './queries/activity.ts'
import * as queries from './queries/people.ts'
import { collaborationEnded } from './topics.ts'

/**
 * The channel that a call is about: that of `channel` in the query; or that of the video in the path, where the caller works
 * on it; otherwise the caller's own. Throws `forbidden` where the caller may not call the endpoint there.
 */
export async function findChannel(
  db: Db,
  user: { id: string },
  { channelRole: least = 'editor' }: Pick<Endpoint, 'channelRole'>,
  { params, query }: { params: unknown; query: unknown },
): Promise<WorkedChannel> {
  const { channel: username } = (query ?? {}) as { channel?: string }
  if (username !== undefined) {
    const id = await getUserId(db, username)
    if (id !== user.id) assertRole(await queries.findRole(db, user.id, id), least)
    return { id }
  }
  const { id, videoId = id } = (params ?? {}) as { id?: string; videoId?: string }
  const found = videoId === undefined ? undefined : await queries.findChannelOfVideo(db, user.id, videoId)
  // the call of somebody else fails as it does without roles
  if (!found) return { id: user.id }
  assertRole(found.role, least)
  return { id: found.id }
}

function assertRole(role: ChannelRole | null, least: ChannelRole): void {
  if (role === null) throw new AppError(videoErrors.channelNotYours)
  if (!hasChannelRole(role, least)) throw new AppError(videoErrors.managersOnly)
}

/** Whether a user owns a channel or works on it. */
export async function worksOn(db: Db, userId: string, channelId: string): Promise<boolean> {
  return userId === channelId || (await queries.findRole(db, userId, channelId)) !== null
}

/** Repeats the check at the end of a long request: nobody removes the person until the transaction ends. */
export async function assertStillWorksOn(transaction: Db, userId: string, channelId: string): Promise<void> {
  await assertStillHasRole(transaction, userId, channelId, 'editor')
}

/** As `assertStillWorksOn`, for what needs a role. */
export async function assertStillHasRole(
  transaction: Db,
  userId: string,
  channelId: string,
  least: ChannelRole,
): Promise<void> {
  if (userId !== channelId) assertRole(await queries.lockRole(transaction, userId, channelId), least)
}

/**
 * Calls `listener` once a user does not work on a channel any more, until disposed. Does nothing for the owner, whose
 * sessions end otherwise.
 */
export async function onCollaborationEnd(
  { db, pubsub, log }: Pick<Context, 'db' | 'pubsub' | 'log'>,
  { userId, channelId }: { userId: string; channelId: string },
  listener: (error: AppError) => void,
): Promise<Disposable> {
  if (userId === channelId) return { [Symbol.dispose]: () => undefined }
  const check = () =>
    worksOn(db, userId, channelId).then(
      (isTrue) => isTrue || listener(new AppError(videoErrors.channelNotYours)),
      (error: unknown) => log.warn({ err: error }, 'role in a channel could not be looked up'),
    )
  const unsubscribers = [
    await pubsub.subscribe(
      collaborationEnded,
      (id) => void (id === userId && check()),
      () => void check(),
    ),
    // of the owner, whose suspension ends the work of everybody
    await pubsub.subscribe(
      sessionsEnded,
      (id) => void (id === channelId && check()),
      () => undefined,
    ),
  ]
  // it may have ended just before the subscription
  await check()
  return { [Symbol.dispose]: () => unsubscribers.forEach((unsubscribe) => unsubscribe()) }
}

/** Throws `forbidden` if one of these accounts is the shared test account, which anybody can sign in to. */
export function assertNotShared(usernames: readonly string[], config: Pick<Config, 'demoAccount'>): void {
  if (usernames.some((username) => isTestAccount(username, config)))
    throw new AppError(videoErrors.sharedAccountChannel)
}

type PeopleContext = Pick<Context, 'db' | 'clock'>

/** Records what somebody did on a channel. A failure is logged: what was done stays. */
export async function recordActivity(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  activity: NewActivity,
): Promise<void> {
  await insertActivity(db, activity, clock.now()).catch((error: unknown) =>
    log.error({ err: error, ...activity }, 'activity of a channel not recorded'),
  )
}

/** Deletes videos of a channel with `work`, and records those that are deleted, by their former titles. */
export async function recordDeletions<Result extends { _id: string; error: string | null }>(
  context: Pick<Context, 'db' | 'clock' | 'log'>,
  { ids, ...activity }: { channelId: string; actorId: string; ids: readonly string[] },
  work: () => Promise<Result[]>,
): Promise<Result[]> {
  const titles = await findTitles(context.db, ids)
  const results = await work()
  for (const { _id: videoId, error } of results)
    if (error === null)
      await recordActivity(context, {
        ...activity,
        action: 'video_deleted',
        videoId,
        subject: titles.get(videoId),
      })
  return results
}

/**
 * Gives somebody who works on a channel a role, or invites an account to it. Throws `not_found` for an unknown account, and
 * `invalid` for the owner and above the limit of people.
 */
export async function putCollaborator(
  { db, clock }: PeopleContext,
  channelId: string,
  { actorId, username, role }: { actorId: string; username: string; role: ChannelRole },
): Promise<void> {
  const userId = await getUserId(db, username)
  if (userId === channelId) throw new AppError(videoErrors.collaboratorIsOwner, { path: 'username' })
  await db.transaction().execute(async (transaction) => {
    const count = await queries.lockPeople(transaction, channelId)
    await assertStillHasRole(transaction, actorId, channelId, 'manager')
    const changed = { channelId, userId, role }
    const activity = { channelId, actorId, subject: username }
    if (await queries.updateRole(transaction, changed))
      return insertActivity(transaction, { ...activity, action: 'person_changed' }, clock.now())
    if (await queries.updateInvitation(transaction, changed)) return
    if (count >= collaboratorsPerChannel)
      throw new AppError(videoErrors.collaboratorLimit, { limit: collaboratorsPerChannel })
    await queries.insertInvitation(transaction, { ...changed, invitedBy: actorId, createdAt: clock.now() })
    await insertOfferNotification(transaction, 'collaboration', channelId, userId)
    await insertActivity(transaction, { ...activity, action: 'person_invited' }, clock.now())
  })
}

type RemovalContext = Pick<Context, 'db' | 'pubsub' | 'clock'>

/** Removes somebody from a channel, or withdraws an invitation. Returns false if there is neither. */
async function removeFrom(
  { db, pubsub, clock }: RemovalContext,
  {
    channelId,
    userId,
    ...activity
  }: Pick<NewActivity, 'channelId' | 'actorId' | 'subject'> & { userId: string },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await queries.lockPeople(transaction, channelId)
    if (activity.actorId !== userId)
      await assertStillHasRole(transaction, activity.actorId, channelId, 'manager')
    const wasInvited = (await queries.deleteInvitation(transaction, channelId, userId)) !== undefined
    if (wasInvited) await markOfferAsRead(transaction, 'collaboration', channelId, userId)
    const wasRemoved = await queries.deleteCollaborator(transaction, channelId, userId)
    if (wasRemoved) {
      await pubsub.publish(transaction, collaborationEnded, userId)
      for (const invited of await queries.deleteInvitationsBy(transaction, channelId, userId))
        await markOfferAsRead(transaction, 'collaboration', channelId, invited)
    }
    if (!wasInvited && !wasRemoved) return false
    const action = activity.actorId === userId ? 'person_left' : 'person_removed'
    await insertActivity(transaction, { channelId, ...activity, action }, clock.now(), { isShared: true })
    return true
  })
}

/** Removes somebody from a channel at once, or withdraws an invitation. Throws `not_found` if there is neither. */
export async function removeCollaborator(
  context: RemovalContext,
  channelId: string,
  { actorId, username }: { actorId: string; username: string },
): Promise<void> {
  const userId = await getUserId(context.db, username)
  if (!(await removeFrom(context, { channelId, userId, actorId, subject: username })))
    throw new AppError(videoErrors.collaboratorNotFound)
}

/** Leaves a channel, or declines its invitation. Throws `not_found` if there is neither. */
export async function endCollaboration(
  context: RemovalContext,
  user: { id: string; username: string },
  username: string,
): Promise<void> {
  const channelId = await getUserId(context.db, username)
  const left = { channelId, userId: user.id, actorId: user.id, subject: user.username }
  if (!(await removeFrom(context, left))) throw new AppError(videoErrors.collaborationNotFound)
}

/** Accepts the invitation of a channel. Throws `not_found` if there is none. */
export async function acceptCollaboration(
  { db, clock }: PeopleContext,
  { id: userId, username: subject }: { id: string; username: string },
  username: string,
): Promise<void> {
  const channelId = await getUserId(db, username)
  await db.transaction().execute(async (transaction) => {
    await queries.lockPeople(transaction, channelId)
    const role = await queries.deleteInvitation(transaction, channelId, userId)
    if (!role) throw new AppError(videoErrors.collaborationNotFound)
    await queries.insertCollaborator(transaction, { channelId, userId, role, createdAt: clock.now() })
    await markOfferAsRead(transaction, 'collaboration', channelId, userId)
    const activity = { channelId, actorId: userId, subject, action: 'person_joined' } as const
    await insertActivity(transaction, activity, clock.now())
  })
}
