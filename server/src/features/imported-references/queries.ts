import { sql } from 'kysely'
import type { Db } from '../../database.ts'
import { isKeepable, type MissingReference, type ReferenceList } from './rules.ts'

/** References that one account keeps; an import reports others and leaves them out. */
const maxPerAccount = 100_000

/** Keeps references that an import could not resolve, for later exports. Those that are kept already stay. */
export async function keepReferences(
  db: Db,
  userId: string,
  { file, list = '' }: ReferenceList,
  references: readonly MissingReference[],
): Promise<void> {
  const kept = references.filter(isKeepable)
  if (kept.length === 0) return
  await sql`
    insert into imported_references (user_id, file, list, key, content, position)
    select ${userId}, ${file}, ${list}, missing.key, missing.content, missing.position
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as missing (key text, content jsonb, position integer)
    limit greatest(0, ${maxPerAccount} - (select count(*) from imported_references where user_id = ${userId}))
    on conflict do nothing`.execute(db)
}

/** Forgets references that a later import has resolved. */
export async function deleteReferences(
  db: Db,
  userId: string,
  { file, list = '' }: ReferenceList,
  keys: readonly string[],
): Promise<void> {
  await sql`
    delete from imported_references
    where user_id = ${userId} and file = ${file} and list = ${list} and key = any(${keys}::text[])`.execute(
    db,
  )
}

/** Forgets all references of a file. */
export async function deleteReferencesOfFile(db: Db, userId: string, file: string): Promise<void> {
  await db.deleteFrom('importedReferences').where('userId', '=', userId).where('file', '=', file).execute()
}
