import type { NotificationKind } from '@kinora/contract/messages/notifications.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'

/** Whether a person has not switched a kind off. */
export const isOn = (userId: RawBuilder<unknown>, kind: NotificationKind | RawBuilder<string>) =>
  sql`not exists (select from muted_notifications m where m.user_id = ${userId} and m.kind = ${kind})`

/** The kinds that a user has switched off. */
export async function listMuted(db: Db, userId: string): Promise<NotificationKind[]> {
  const rows = await db
    .selectFrom('mutedNotifications')
    .select(sql<NotificationKind>`kind`.as('kind'))
    .where('userId', '=', userId)
    .orderBy('kind')
    .execute()
  return rows.map(({ kind }) => kind)
}

export async function replaceMuted(
  db: Db,
  userId: string,
  kinds: readonly NotificationKind[],
): Promise<void> {
  await sql`
    with removed as (delete from muted_notifications where user_id = ${userId} and kind <> all(${kinds}::text[]))
    insert into muted_notifications (user_id, kind)
    select ${userId}, kind from unnest(${kinds}::text[]) as kind on conflict do nothing`.execute(db)
}
