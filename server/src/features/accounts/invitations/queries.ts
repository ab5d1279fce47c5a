import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import type { Invitation } from '@kinora/contract/operations/administration.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'

const listLimit = 100
const invitedLimit = 20

type InvitationRow = Omit<Invitation, '_id' | 'createdAt' | 'expiresAt'> & {
  id: string
  createdAt: Date
  expiresAt: Date
}

/** Invitations, newest first; with `id` only that one. */
export async function listInvitations(db: Db, id?: string): Promise<Invitation[]> {
  const { rows } = await sql<InvitationRow>`
    select i.id, u.username as created_by, i.created_at, i.expires_at, i.note, i.max_uses, i.uses,
      array(
        select p.username from users p where p.invitation_id = i.id order by p.created_at limit ${invitedLimit}
      ) as invited
    from invitations i left join users u on u.id = i.created_by
    where ${id === undefined ? sql`true` : sql`i.id = ${id}`}
    order by i.created_at desc, i.id limit ${listLimit}`.execute(db)
  return rows.map(({ id: _id, createdAt, expiresAt, ...row }) => ({
    _id,
    ...row,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }))
}

export async function insertInvitation(
  db: Db,
  invitation: {
    id: string
    createdBy: string | null
    createdAt: Date
    expiresAt: Date
    maxUses: number
    note?: string
  },
): Promise<void> {
  await db.insertInto('invitations').values(invitation).execute()
}

/** Throws `not_found`. */
export async function deleteInvitation(db: Db, id: string): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('invitations').where('id', '=', id).executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw new AppError(accountErrors.invitationNotFound)
}

const isUsable = (now: Date) => sql<boolean>`expires_at > ${now}::timestamptz and uses < max_uses`

/** Whether somebody may register with an invitation. */
export async function isUsableInvitation(db: Db, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`select from invitations where id = ${id} and ${isUsable(now)}`.execute(db)
  return rows.length > 0
}

/** Takes back registrations with invitations, one for each time an id is in the list. */
export async function giveBackInvitations(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    update invitations i set uses = i.uses - t.count
    from (select id, count(*)::int as count from unnest(${ids}::text[]) id group by id) t where t.id = i.id`.execute(
    db,
  )
}

/** Counts a registration with an invitation. Returns whether it was still usable. */
export async function takeInvitation(db: Db, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update invitations set uses = uses + 1 where id = ${id} and ${isUsable(now)} returning 1`.execute(db)
  return rows.length > 0
}
