import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { isKeepable, type MissingReference, type ReferenceList } from './rules.ts'

/** References that are kept for one account. */
export const maxPerAccount = 100_000

/** Their length as JSON. */
export const maxBytesPerAccount = 100_000_000

/**
 * Length of those that belong to playlists, groups and videos. Each of these is one JSON value of an export, and an import
 * reads values of up to 32 MiB. Indentation adds up to 8 MB, and people who are on this site 5 MB.
 */
export const maxBytesInLists = 16_000_000

interface KeptReferences {
  leftOut: number
  maxBytes: number | null
}

/**
 * Keeps references that an import could not resolve, for later exports. Those that are kept already stay. Returns how many
 * are left out, because the account has `maxPerAccount` or, where it is a number, the limit of `maxBytes`.
 */
export async function keepReferences(
  db: Db,
  userId: string,
  { file, list = '' }: ReferenceList,
  references: readonly MissingReference[],
): Promise<KeptReferences> {
  const kept = references.filter(isKeepable)
  if (kept.length === 0) return { leftOut: 0, maxBytes: null }
  const { rows } = await sql<KeptReferences>`
    with missing as materialized (
      select distinct on (given.key) given.*, octet_length(given.content::text) as bytes
      from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as given (key text, content jsonb, position integer)
      where not exists (
        select from imported_references r
        where r.user_id = ${userId} and r.file = ${file} and r.list = ${list} and r.key = given.key)
      order by given.key, given.position
    ), held as materialized (
      select count(*) as entries, ${maxBytesPerAccount} - coalesce(sum(length), 0) as bytes_left,
        case when ${list} <> '' then ${maxBytesInLists} - coalesce(sum(length) filter (where list <> ''), 0) end
          as bytes_left_in_lists
      from (
        select list, coalesce(bytes, pg_column_size(content)) as length
        from imported_references where user_id = ${userId}) kept
    ), fitting as (
      select missing.*, sum(bytes) over (order by position, key) as total_bytes from missing
    ), added as (
      insert into imported_references (user_id, file, list, key, content, position, bytes)
      select ${userId}, ${file}, ${list}, key, content, position, bytes from fitting
      where total_bytes <= (select least(bytes_left, bytes_left_in_lists) from held)
      order by position, key
      limit greatest(0, ${maxPerAccount} - (select entries from held))
      on conflict do nothing returning key
    )
    select ((select count(*) from missing) - (select count(*) from added))::int as left_out,
      case when held.entries + (select count(*) from added) < ${maxPerAccount} then
        case when bytes_left_in_lists < bytes_left then ${maxBytesInLists}::int else ${maxBytesPerAccount}::int end
      end as max_bytes
    from held`.execute(db)
  return rows[0] ?? { leftOut: 0, maxBytes: null }
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

/** Forgets the references of a playlist, channel group or video that is deleted. */
export async function deleteReferencesOfList(
  db: Db,
  userId: string,
  { file, list }: Required<ReferenceList>,
): Promise<void> {
  await db
    .deleteFrom('importedReferences')
    .where('userId', '=', userId)
    .where('file', '=', file)
    .where('list', '=', list)
    .execute()
}

/** Forgets all references of a file. */
export async function deleteReferencesOfFile(db: Db, userId: string, file: string): Promise<void> {
  await db.deleteFrom('importedReferences').where('userId', '=', userId).where('file', '=', file).execute()
}
