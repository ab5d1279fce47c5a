import type { RowDifference } from '@kinora/platform/db/change-row.ts'
import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { isLanguage, type Language } from '@kinora/contract/languages.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import type { Role } from '@kinora/contract/accounts/roles.ts'
import type { Channel, User, Viewing } from '@kinora/contract/accounts/users.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import type { ChoiceRow } from '../../../context/list-choices.ts'
import { AppError, signInFirst } from '@kinora/platform/errors.ts'
import { spellingsOf } from './rules.ts'
import { isNotLeaving, isVisible } from '../../visibility/queries.ts'

interface ChannelRow {
  id: string
  username: string
  fullname: string
  avatar: string
  coverImage: string | null
  subscribersCount: number
  subscribedToCount: number
  isSubscribed: boolean
}

interface UserRow extends ChannelRow, ChoiceRow {
  email: string
  role: Role
  watchHistory: string[]
  hasPassword: boolean
  deletesAt: Date | null
  language: string | null
}

function toChannel({ id, ...row }: ChannelRow): Channel {
  return {
    ...row,
    _id: id,
    avatar: pictureUrl(row.avatar, pictureDefaultWidth.avatar),
    coverImage: row.coverImage && pictureUrl(row.coverImage, pictureDefaultWidth.cover),
  }
}

/** An account as its owner sees it. Throws `not_found`. */
export async function getUser(db: Db, id: string): Promise<User> {
  const { rows } = await sql<UserRow>`
    select u.id, u.username, u.fullname, u.email, u.role, u.avatar, u.cover_image, u.deletes_at, u.has_password, u.language,
      u.sensitive_videos, u.viewing_languages,
      u.subscribers_count, u.subscribed_to_count,
      exists (select from subscriptions s where s.subscriber_id = u.id and s.channel_id = u.id) as is_subscribed,
      array(
        select h.video_id from watch_history h join videos v on v.id = h.video_id
        where h.user_id = u.id and h.watched_at is not null and ${isVisible(sql.ref('u.id'))}
        order by h.watched_at desc, h.video_id desc limit 100
      ) as watch_history
    from users u where u.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw new AppError(accountErrors.userNotFound)
  const { email, role, watchHistory, hasPassword, deletesAt, language, ...rest } = row
  const { sensitiveVideos, viewingLanguages, ...channel } = rest
  const hasChosen = sensitiveVideos !== null || viewingLanguages !== null
  return {
    ...toChannel(channel),
    email,
    role,
    watchHistory,
    ...(!hasPassword && { hasPassword: false as const }),
    // Another version may have stored a language that this one does not have.
    ...(language !== null && isLanguage(language) && { language }),
    ...(hasChosen && { viewing: { sensitiveVideos, languages: viewingLanguages ?? [] } }),
    ...(deletesAt && { deletesAt: deletesAt.toISOString() }),
  }
}

/**
 * A channel by its case-insensitive username, as the viewer sees it. Throws `not_found`, also for an account that waits for
 * approval or is being deleted.
 */
export async function getChannelOf(db: Db, username: string, viewerId: string | null): Promise<Channel> {
  const { rows } = await sql<ChannelRow>`
    select u.id, u.username, u.fullname, u.avatar, u.cover_image, u.subscribers_count, u.subscribed_to_count,
      exists (select from subscriptions s where s.subscriber_id = ${viewerId} and s.channel_id = u.id) as is_subscribed
    from users u where lower(u.username) = lower(${username})
      and not u.awaits_approval and ${isNotLeaving()}`.execute(db)
  const [row] = rows
  if (!row) throw new AppError(accountErrors.channelNotFound)
  return toChannel(row)
}

/** Whether a column has an email address, case-insensitive and in any spelling of its domain. */
export const isEmail = (email: string, column: 'email' | 'old_email' = 'email') =>
  sql<boolean>`lower(${sql.ref(column)}) in (${sql.join(spellingsOf(email).map((spelling) => sql`lower(${spelling})`))})`

/** Whether an account has an email or username, case-insensitive. They cannot collide: no username contains an at sign. */
export const isNamed = (name: string) =>
  name.includes('@') ? isEmail(name) : sql<boolean>`lower(username) = lower(${name})`

/** The account of an email or username, case-insensitive. */
export async function findCredentials(db: Db, name: string) {
  return db
    .selectFrom('users')
    .select(['id', 'passwordHash', 'suspendedAt', 'awaitsApproval', 'deletesAt'])
    .where(isNamed(name))
    .executeTakeFirst()
}

/** The decision that suspended an account, while its owner has not answered it; not one of an earlier suspension. */
export const answerableSuspension = (userId: string) => sql<number>`
  select max(r.id) from reports r join users u on u.id = r.owner_id
  where r.owner_id = ${userId} and r.kind = 'channel' and r.decision = 'remove' and r.answer is null
    and r.decided_at >= u.suspended_at`

/** The reason for which an account was suspended, as long as its owner may answer; undefined otherwise. */
export async function findSuspensionReason(db: Db, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ note: string }>`
    select note from reports where id = (${answerableSuspension(userId)})`.execute(db)
  return rows[0]?.note
}

/** Throws `unauthenticated` if the account was deleted during the request. */
export async function getPassword(
  db: Db,
  id: string,
): Promise<{ passwordHash: string; hasPassword: boolean }> {
  return db
    .selectFrom('users')
    .select(['passwordHash', 'hasPassword'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(signInFirst)
}

/** Throws `unauthenticated` if the account was deleted during the request. */
export async function getUsername(db: Db, id: string): Promise<string> {
  const { username } = await db
    .selectFrom('users')
    .select('username')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new AppError(accountErrors.accountNotFound))
  return username
}

export async function getEmail(db: Db, id: string): Promise<string> {
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(signInFirst)
  return email
}

/**
 * Which of a username and an email are taken, case-insensitive. A registration that is not confirmed yet takes its username
 * only: anybody may have written its email. The previous email of another account is taken for as long
 * as the mail to it can undo the change: somebody who took over the account could otherwise register with it.
 */
export async function findTaken(
  db: Db,
  { username, email, userId = null }: { username: string; email: string; userId?: string | null },
): Promise<{ username: boolean; email: boolean }> {
  const { rows } = await sql<{ username: boolean; email: boolean }>`
    select exists (select from users where lower(username) = lower(${username}))
        or exists (select from registrations where lower(username) = lower(${username})) as username,
      exists (select from users where ${isEmail(email)}) or exists (
        select from email_changes where ${isEmail(email, 'old_email')}
          and confirmed_at is not null and user_id is distinct from ${userId}
      ) as email`.execute(db)
  return rows[0] ?? { username: false, email: false }
}

export interface NewUser {
  id: string
  username: string
  email: string
  fullname: string
  passwordHash: string
  hasPassword: boolean
  avatar: string
  coverImage: string | null
  createdAt: Date
  suspendedAt: Date | null
  awaitsApproval: boolean
  invitationId: string | null
}

/** Throws `conflict` if the username or the email is taken, even by a concurrent request. */
export async function insertUser(db: Db, user: NewUser): Promise<void> {
  await db.insertInto('users').values(user).execute().catch(throwConflict)
}

/** Throws `conflict` if the email is taken. */
export async function updateUserDetails(
  db: Db,
  id: string,
  details: { fullname?: string | undefined; email?: string | undefined },
): Promise<void> {
  await db.updateTable('users').set(details).where('id', '=', id).execute().catch(throwConflict)
}

export async function updatePasswordHash(db: Db, id: string, passwordHash: string): Promise<void> {
  await db.updateTable('users').set({ passwordHash, hasPassword: true }).where('id', '=', id).execute()
}

/** Replaces the hash if it is still `oldHash`. Returns whether it did. */
export async function replacePasswordHash(
  db: Db,
  id: string,
  oldHash: string,
  newHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ passwordHash: newHash, hasPassword: true })
    .where('id', '=', id)
    .where('passwordHash', '=', oldHash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Suspends an account, or with null reinstates it. */
export async function updateSuspension(db: Db, id: string, suspendedAt: Date | null): Promise<void> {
  await db.updateTable('users').set({ suspendedAt, awaitsApproval: false }).where('id', '=', id).execute()
}

/** Has an account removed at a time, and suspends it until then; with null shows it again. */
export async function updateDeletion(
  db: Db,
  id: string,
  deletion: { deletesAt: Date; suspendedAt: Date } | null,
): Promise<void> {
  const { deletesAt, suspendedAt } = deletion ?? { deletesAt: null, suspendedAt: null }
  await db.updateTable('users').set({ deletesAt, suspendedAt }).where('id', '=', id).execute()
}

export async function updateLanguage(db: Db, id: string, language: Language): Promise<void> {
  await db.updateTable('users').set({ language }).where('id', '=', id).execute()
}

export async function updateViewing(
  db: Db,
  id: string,
  { sensitiveVideos, languages }: Viewing,
): Promise<void> {
  const viewingLanguages = languages.length > 0 ? languages : null
  await db.updateTable('users').set({ sensitiveVideos, viewingLanguages }).where('id', '=', id).execute()
}

/** Chooses whether viewers may make clips of the videos of a channel; null for the public ones. */
export async function updateClipsAllowed(db: Db, id: string, allowed: boolean | null): Promise<void> {
  await db.updateTable('users').set({ clipsAllowed: allowed }).where('id', '=', id).execute()
}

export async function updateRole(db: Db, id: string, role: Role): Promise<void> {
  await db.updateTable('users').set({ role }).where('id', '=', id).execute()
}

/** Quota of an account; null for that of the site, and undefined for no change. */
export interface Quota {
  quotaBytes: number | null
  quotaVideos: number | null
  quotaDailyBytes?: number | null | undefined
  quotaVideoMinutes?: number | null | undefined
}

/** Sets what an account may upload. */
export async function updateQuota(db: Db, id: string, quota: Quota): Promise<void> {
  await db.updateTable('users').set(quota).where('id', '=', id).execute()
}

/** Deletes an account with all of its rows. The caller deletes the files of its pictures and videos. */
export async function deleteUser(db: Db, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute()
}

/** Subtracts a user's subscriptions from the stored counts of others, in the transaction that deletes the user. */
export async function subtractSubscriptionsOf(db: Db, userId: string): Promise<void> {
  await sql`
    update users set subscribers_count = subscribers_count - 1
    where id in (select channel_id from subscriptions where subscriber_id = ${userId})`.execute(db)
  await sql`
    update users set subscribed_to_count = subscribed_to_count - 1
    where id in (select subscriber_id from subscriptions where channel_id = ${userId})`.execute(db)
}

/** Returns the picture that was replaced, if any. Throws `unauthenticated` if the account was deleted meanwhile. */
export async function updatePicture(
  db: Db,
  id: string,
  column: 'avatar' | 'coverImage',
  picture: string | null,
): Promise<string | null> {
  const old = await db
    .selectFrom('users')
    .select(column)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(signInFirst)
  await db
    .updateTable('users')
    .set({ [column]: picture })
    .where('id', '=', id)
    .execute()
  return old[column] ?? null
}

const takenErrors = { username: accountErrors.usernameTaken, email: accountErrors.emailTaken }

/** The unique indexes decide between concurrent requests for the same name. */
function throwConflict(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
  if (constraint === 'users_username_key') throw taken('username')
  if (constraint === 'users_email_key') throw taken('email')
  throw error
}

export function taken(field: keyof typeof takenErrors): AppError {
  return new AppError(takenErrors[field], { path: field })
}

/** The id of a case-insensitive username. Throws `not_found`, also for an account that waits for approval or is being deleted. */
export async function getUserId(db: Db, username: string): Promise<string> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where(sql`lower(username)`, '=', sql<string>`lower(${username})`)
    .where('awaitsApproval', '=', false)
    .where(isNotLeaving('users'))
    .executeTakeFirst()
  if (!row) throw new AppError(accountErrors.channelNotFound)
  return row.id
}

/** Locks users until the end of the transaction, always in the same order to avoid deadlocks. */
export async function lockUsers(db: Db, ids: string[]): Promise<void> {
  await db.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
}

/**
 * Changes the stored counts of a subscriber and a channel (possibly the same user), in the transaction that changes the
 * subscription. Returns the channel's number of subscribers.
 */
export async function addToSubscriptionCounts(
  db: Db,
  subscriberId: string,
  channelId: string,
  difference: RowDifference,
): Promise<number> {
  const { rows } = await sql<{ id: string; subscribersCount: number }>`
    update users set
      subscribed_to_count = subscribed_to_count + case id when ${subscriberId} then ${difference}::int else 0 end,
      subscribers_count = subscribers_count + case id when ${channelId} then ${difference}::int else 0 end
    where id in (${subscriberId}, ${channelId})
    returning id, subscribers_count`.execute(db)
  const channel = rows.find((row) => row.id === channelId)
  if (!channel) throw new Error('The caller holds the lock of both users')
  return channel.subscribersCount
}
