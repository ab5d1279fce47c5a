import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import type { MailKind } from './rules/mail-kinds.ts'

/**
 * Username, address and chosen language of an account, or of the registration with its id; undefined if it was deleted. With a
 * change of address, the address that confirms it or, for `email_change`, the previous one; undefined if the change was stopped
 * or replaced.
 */
export async function findRecipient(
  db: Db,
  { kind, userId, changeId }: { kind: MailKind; userId: string; changeId: string | undefined },
): Promise<
  { email: string; username: string; language: string | null; deletesAt?: Date | null } | undefined
> {
  if (kind === 'confirm_registration')
    return db
      .selectFrom('registrations')
      .select(['email', 'username', sql<null>`null`.as('language')])
      .where('id', '=', userId)
      .executeTakeFirst()
  const user = db.selectFrom('users as u').where('u.id', '=', userId)
  if (changeId === undefined)
    return user.select(['u.email', 'u.username', 'u.language', 'u.deletesAt']).executeTakeFirst()
  return user
    .innerJoin('emailChanges as e', 'e.userId', 'u.id')
    .where('e.id', '=', changeId)
    .select([kind === 'email_change' ? 'e.oldEmail as email' : 'e.email', 'u.username', 'u.language'])
    .executeTakeFirst()
}

export async function insertCode(
  db: Db,
  {
    userId,
    ...code
  }: { codeHash: Buffer; userId: string; email: string; purpose: MailKind; expiresAt: Date },
): Promise<void> {
  const owner = code.purpose === 'confirm_registration' ? { registrationId: userId } : { userId }
  await db
    .insertInto('mailCodes')
    .values({ ...code, ...owner })
    .execute()
}

/**
 * The account, or the registration with its id, of a code that has not expired, and the address it went to. A code for a new password counts while the account
 * has that address: its mail may have been written while the address changed.
 */
export async function findCode(
  db: Db,
  { codeHash, purpose, now }: { codeHash: Buffer; purpose: MailKind; now: Date },
): Promise<{ userId: string; email: string } | undefined> {
  return db
    .selectFrom('mailCodes')
    .select([
      sql<string>`coalesce(user_id, registration_id)`.as('userId'),
      sql<string>`coalesce(email, '')`.as('email'),
    ])
    .where('codeHash', '=', codeHash)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .where(
      sql<boolean>`(purpose <> ${'password_reset' satisfies MailKind} or email is null
        or exists (select from users u where u.id = user_id and u.email = mail_codes.email))`,
    )
    .executeTakeFirst()
}

/** Deletes a code. Returns whether it was there: of concurrent requests, one gets true. */
export async function deleteCode(db: Db, codeHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('mailCodes')
    .where('codeHash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes the codes of an account, so that no link works that was sent before, but for those that undo a change of address. */
export async function deleteCodesOf(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('mailCodes')
    .where('userId', '=', userId)
    .where('purpose', '<>', 'email_change' satisfies MailKind)
    .execute()
}

export async function deleteAllCodesOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('mailCodes').where('userId', '=', userId).execute()
}

export async function deleteExpiredCodes(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('mailCodes').where('expiresAt', '<=', now).execute()
}

/** Counts a permanent rejection of an address, if the account has it. */
export async function addRejection(
  db: Db,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  await sql`
    insert into rejected_emails as r (user_id, email)
    select u.id, u.email from users u where u.id = ${userId} and u.email = ${email}
    on conflict (user_id) do update set email = excluded.email,
      rejections = case when r.email = excluded.email then r.rejections + 1 else 1 end`.execute(db)
}

/** Forgets the rejections of an address that accepts mail. */
export async function deleteRejections(
  db: Db,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  await db.deleteFrom('rejectedEmails').where('userId', '=', userId).where('email', '=', email).execute()
}
