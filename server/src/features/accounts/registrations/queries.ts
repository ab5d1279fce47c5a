import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { isEmail, isNamed, taken } from '../users/queries.ts'

/** Days for which an email address can be confirmed, by links that are sent again if need be. */
const keptDays = 7

interface Registration {
  id: string
  username: string
  email: string
  fullname: string
  passwordHash: string
  avatar: string
  coverImage: string | null
  createdAt: Date
  awaitsApproval: boolean
  invitationId: string | null
}

/** Throws `conflict` if another registration has the username, even a concurrent one. */
export async function insertRegistration(db: Db, registration: Registration): Promise<void> {
  await db
    .insertInto('registrations')
    .values(registration)
    .execute()
    .catch((error: unknown) => {
      const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
      throw constraint === 'registrations_username_key' ? taken('username') : error
    })
}

/** Deletes a registration and returns it; undefined if it was confirmed or deleted already. */
export async function takeRegistration(db: Db, id: string): Promise<Registration | undefined> {
  return db.deleteFrom('registrations').where('id', '=', id).returningAll().executeTakeFirst()
}

/** The registration of a username with an address, both case-insensitive. */
export async function findRegistration(
  db: Db,
  { email, username }: { email: string; username: string },
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('registrations')
    .select('id')
    .where(isEmail(email))
    .where(sql`lower(username)`, '=', sql<string>`lower(${username})`)
    .executeTakeFirst()
}

/** The password hash of the newest registration of a username or email, case-insensitive. */
export async function findPasswordHash(db: Db, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ passwordHash: string }>`
    select password_hash from registrations
    where ${isNamed(name)}
    order by created_at desc limit 1`.execute(db)
  return rows[0]?.passwordHash
}

/** The account of a case-insensitive address. */
export async function findUserId(db: Db, email: string): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('id').where(isEmail(email)).executeTakeFirst()
  return row?.id
}

/** Deletes registrations that nobody has confirmed in time. Returns their pictures and invitations. */
export async function deleteOldRegistrations(
  db: Db,
  now: Date,
): Promise<{ pictures: string[]; invitationIds: string[] }> {
  const before = new Date(now.getTime() - keptDays * dayMs)
  const rows = await db
    .deleteFrom('registrations')
    .where('createdAt', '<', before)
    .returning(['avatar', 'coverImage', 'invitationId'])
    .execute()
  const isText = (value: string | null) => value !== null
  return {
    pictures: rows.flatMap(({ avatar, coverImage }) => [avatar, coverImage]).filter(isText),
    invitationIds: rows.map(({ invitationId }) => invitationId).filter(isText),
  }
}
