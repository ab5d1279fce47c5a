import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { notify } from '@kinora/platform/db/pubsub.ts'
import { siteSettingsChanged } from './topics.ts'

/** The id that the storage of this site must have; undefined before the first start. */
export async function findStorageId(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('site').select('storageId').executeTakeFirst()
  return row?.storageId
}

/** Sets the id, replacing an existing one. */
export async function putStorageId(db: Db, storageId: string): Promise<void> {
  await db
    .insertInto('site')
    .values({ storageId })
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet({ storageId }))
    .execute()
}

/** Whether anybody has registered. */
export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Whether somebody administers the site. */
export async function hasAdministrator(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', sql.lit('administrator'))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Settings of administrators, by name. */
export async function listSettings(db: Db): Promise<Map<string, unknown>> {
  const rows = await db.selectFrom('siteSettings').select(['name', 'value']).execute()
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/** Stores settings, and notifies all processes on commit. */
export async function putSettings(db: Db, settings: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await sql`
      insert into site_settings (name, value) values (${name}, ${JSON.stringify(value)}::jsonb)
      on conflict (name) do update set value = excluded.value`.execute(db)
  await sql`select ${notify(siteSettingsChanged.name, '')}`.execute(db)
}

/** The stored logo, locked until the end of the transaction; null without one. */
export async function lockLogo(db: Db): Promise<unknown> {
  // without a row, two first logos would not wait for each other
  await sql`insert into site_settings (name, value) values ('siteLogo', 'null') on conflict do nothing`.execute(
    db,
  )
  const row = await db
    .selectFrom('siteSettings')
    .select('value')
    .where('name', '=', 'siteLogo')
    .forUpdate()
    .executeTakeFirst()
  return row?.value
}
