import type { ChannelRole } from '@kinora/contract/channel-roles.ts'
import type { CollaboratedChannel, Collaborator } from '@kinora/contract/videos/collaborators.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { channelRoleOf, isNotLeaving } from '../../../visibility/queries.ts'

/** The role of a user in a channel; null for those who do not work on it. */
export async function findRole(db: Db, userId: string, channelId: string): Promise<ChannelRole | null> {
  const { rows } = await sql<{ role: ChannelRole | null }>`
    select ${channelRoleOf(userId, 'u.id')} as role from users u where u.id = ${channelId}`.execute(db)
  return rows[0]?.role ?? null
}

/** The role of a user, which nobody removes until the transaction ends. */
export async function lockRole(db: Db, userId: string, channelId: string): Promise<ChannelRole | null> {
  await sql`
    select from collaborators where channel_id = ${channelId} and user_id = ${userId} for key share`.execute(
    db,
  )
  return findRole(db, userId, channelId)
}

/** The channel of a video on which a user works. */
export async function findChannelOfVideo(
  db: Db,
  userId: string,
  videoId: string,
): Promise<{ id: string; role: ChannelRole } | undefined> {
  const { rows } = await sql<{ id: string; role: ChannelRole | null }>`
    select v.owner_id as id, ${channelRoleOf(userId, 'v.owner_id')} as role from videos v
    where v.id = ${videoId} and v.owner_id <> ${userId}`.execute(db)
  const [row] = rows
  return row && row.role !== null ? { id: row.id, role: row.role } : undefined
}

interface Row {
  id: string
  username: string
  fullname: string
  avatar: string
  role: ChannelRole
  isInvited: boolean
  since: Date
}

/** Collaborations and invitations, with the account on their other side. */
async function listRows(
  db: Db,
  { own, other, id }: { own: RawBuilder<unknown>; other: RawBuilder<unknown>; id: string },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select u.id, u.username, u.fullname, u.avatar, c.role, c.is_invited, c.created_at as since from (
      select channel_id, user_id, role, created_at, false as is_invited from collaborators
      union all select channel_id, user_id, role, created_at, true from collaboration_invitations
    ) c join users u on u.id = ${other} where ${own} = ${id} and ${isNotLeaving()}
    order by c.is_invited, lower(u.username)`.execute(db)
  return rows
}

const toPerson = ({ id: _id, username, fullname, avatar }: Row) => ({
  _id,
  username,
  fullname,
  avatar: pictureUrl(avatar, pictureDefaultWidth.avatar),
})

const toState = ({ role, isInvited, since }: Row) => ({ role, isInvited, since: since.toISOString() })

/** People who work on a channel, then those who are invited. */
export async function listCollaborators(db: Db, channelId: string): Promise<Collaborator[]> {
  const sides = { own: sql`c.channel_id`, other: sql`c.user_id`, id: channelId }
  return (await listRows(db, sides)).map((row) => ({ person: toPerson(row), ...toState(row) }))
}

/** Channels on which a user works, then invitations. */
export async function listCollaborations(db: Db, userId: string): Promise<CollaboratedChannel[]> {
  const sides = { own: sql`c.user_id`, other: sql`c.channel_id`, id: userId }
  return (await listRows(db, sides)).map((row) => ({ channel: toPerson(row), ...toState(row) }))
}

/** Until the transaction ends nobody else changes the people of a channel. Returns how many there are, with invitations. */
export async function lockPeople(db: Db, channelId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`people of ${channelId}`}, 0))`.execute(db)
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from collaborators where channel_id = ${channelId})
      + (select count(*) from collaboration_invitations where channel_id = ${channelId}) as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Changes the role of somebody who works on a channel. Returns whether somebody does. */
export async function updateRole(
  db: Db,
  { channelId, userId, role }: { channelId: string; userId: string; role: ChannelRole },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('collaborators')
    .set({ role })
    .where('channelId', '=', channelId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

interface NewCollaboration {
  channelId: string
  userId: string
  role: ChannelRole
  createdAt: Date
}

/** Changes the role of an invitation. Returns whether there is one. */
export async function updateInvitation(
  db: Db,
  { channelId, userId, role }: Omit<NewCollaboration, 'createdAt'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('collaborationInvitations')
    .set({ role })
    .where('channelId', '=', channelId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function insertInvitation(db: Db, row: NewCollaboration & { invitedBy: string }): Promise<void> {
  await db.insertInto('collaborationInvitations').values(row).execute()
}

/** Deletes an invitation, and returns the role that it is for. */
export async function deleteInvitation(
  db: Db,
  channelId: string,
  userId: string,
): Promise<ChannelRole | undefined> {
  const row = await db
    .deleteFrom('collaborationInvitations')
    .where('channelId', '=', channelId)
    .where('userId', '=', userId)
    .returning('role')
    .executeTakeFirst()
  return row?.role
}

/** Deletes the invitations of a channel that somebody has made. Returns the ids of those who were invited. */
export async function deleteInvitationsBy(db: Db, channelId: string, invitedBy: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('collaborationInvitations')
    .where('channelId', '=', channelId)
    .where('invitedBy', '=', invitedBy)
    .returning('userId')
    .execute()
  return rows.map(({ userId }) => userId)
}

export async function insertCollaborator(db: Db, row: NewCollaboration): Promise<void> {
  await db.insertInto('collaborators').values(row).execute()
}

/** Removes somebody from a channel. Returns whether somebody was removed. */
export async function deleteCollaborator(db: Db, channelId: string, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('collaborators')
    .where('channelId', '=', channelId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
