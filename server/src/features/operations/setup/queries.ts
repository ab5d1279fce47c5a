import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'

/** Members do not count: anybody may register before the site is set up. */
const hasNoAdministrator = sql`not exists (select from users where role = 'administrator')`

/** Replaces the token of a site without an administrator. Returns whether the site is one. */
export async function putToken(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into setup_token (token_hash) select ${tokenHash}::bytea where ${hasNoAdministrator}
    on conflict (only_row) do update set token_hash = excluded.token_hash`.execute(db)
  return numAffectedRows === 1n
}

const isToken = (tokenHash: Buffer) => sql`token_hash = ${tokenHash}::bytea and ${hasNoAdministrator}`

export async function hasToken(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await sql`select from setup_token where ${isToken(tokenHash)}`.execute(db)
  return rows.length > 0
}

/** Deletes the token. Returns whether it was there: of concurrent transactions, one gets true. */
export async function deleteToken(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from setup_token where ${isToken(tokenHash)}`.execute(db)
  return numAffectedRows === 1n
}
