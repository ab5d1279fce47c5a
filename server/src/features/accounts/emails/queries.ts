import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { maxRejections } from '../../messages/mail/rules/mail-kinds.ts'

/** Days for which the previous address can undo a change. */
const undoDays = 7

/** The address of an account, whether it is confirmed, whether it was rejected too often, and the one that it changes to. */
export async function getState(db: Db, userId: string) {
  return db
    .selectFrom('users as u')
    .leftJoin('confirmedEmails as c', (join) =>
      join.onRef('c.userId', '=', 'u.id').onRef('c.email', '=', 'u.email'),
    )
    .leftJoin('emailChanges as e', (join) =>
      join.onRef('e.userId', '=', 'u.id').on('e.confirmedAt', 'is', null),
    )
    .leftJoin('rejectedEmails as r', (join) =>
      join.onRef('r.userId', '=', 'u.id').onRef('r.email', '=', 'u.email'),
    )
    .select([
      'u.email',
      sql<boolean>`c.email is not null`.as('isConfirmed'),
      sql<boolean>`coalesce(r.rejections, 0) >= ${maxRejections}`.as('isRejected'),
      'e.email as newEmail',
    ])
    .where('u.id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Deletes changes that cannot be undone anymore, and pending ones that are as old. */
export async function deleteOldChanges(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - undoDays * dayMs)
  await db
    .deleteFrom('emailChanges')
    .where(sql`coalesce(confirmed_at, created_at)`, '<', before)
    .execute()
}

/** Stores a pending change, in place of the one before. */
export async function putChange(
  db: Db,
  { id, userId, email, now }: { id: string; userId: string; email: string; now: Date },
): Promise<void> {
  await sql`
    insert into email_changes (id, user_id, old_email, email, created_at)
    select ${id}, u.id, u.email, ${email}, ${now}::timestamptz from users u where u.id = ${userId}
    on conflict (user_id) where confirmed_at is null do update
    set id = excluded.id, old_email = excluded.old_email, email = excluded.email, created_at = excluded.created_at`.execute(
    db,
  )
}

/** Ends the pending change to an address. Returns whether there was one. */
export async function confirmChange(
  db: Db,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('emailChanges')
    .set({ confirmedAt: now })
    .where('userId', '=', userId)
    .where('email', '=', email)
    .where('confirmedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes all changes of an account, or the pending one. */
export async function deleteChanges(
  db: Db,
  userId: string,
  { isPending }: { isPending: boolean },
): Promise<void> {
  const changes = db.deleteFrom('emailChanges').where('userId', '=', userId)
  await (isPending ? changes.where('confirmedAt', 'is', null) : changes).execute()
}

/** Notes that an address is confirmed, if the account has it. Returns whether it has. */
export async function putConfirmed(
  db: Db,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into confirmed_emails (user_id, email, confirmed_at)
    select u.id, u.email, ${now}::timestamptz from users u where u.id = ${userId} and u.email = ${email}
    on conflict (user_id) do update set email = excluded.email, confirmed_at = excluded.confirmed_at
    returning 1`.execute(db)
  return rows.length > 0
}
