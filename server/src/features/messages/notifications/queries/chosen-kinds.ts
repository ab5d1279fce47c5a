import type { NotificationKind } from '@kinora/contract/messages/notifications.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'

/** Tables of the kinds that users have chosen: switched off in the site or by push, or mailed. */
type KindTable = 'mutedNotifications' | 'mutedPushes' | 'mailedNotifications'

export async function listKinds(db: Db, table: KindTable, userId: string): Promise<NotificationKind[]> {
  const { rows } = await sql<{ kind: NotificationKind }>`
    select kind from ${sql.table(table)} where user_id = ${userId} order by kind`.execute(db)
  return rows.map(({ kind }) => kind)
}

export async function replaceKinds(
  db: Db,
  table: KindTable,
  userId: string,
  kinds: readonly NotificationKind[],
): Promise<void> {
  await sql`
    with removed as (delete from ${sql.table(table)} where user_id = ${userId} and kind <> all(${kinds}::text[]))
    insert into ${sql.table(table)} (user_id, kind)
    select ${userId}, kind from unnest(${kinds}::text[]) as kind order by kind on conflict do nothing`.execute(
    db,
  )
}
