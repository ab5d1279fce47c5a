import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isOn } from './muted-kinds.ts'

/** Notifies those who reported something of the decision, and with `isOwnerConcerned` the person whom it is about. */
export async function putReportNotification(
  db: Db,
  reportId: number,
  isOwnerConcerned: boolean,
): Promise<void> {
  await sql`
    insert into notifications (user_id, kind, report_id)
    select person.id, person.kind, r.id
    from reports r
    cross join lateral (
      select e.reporter_id, 'report' from report_entries e where e.report_id = r.id
      union all select r.owner_id, 'moderation' where ${isOwnerConcerned}
    ) person (id, kind)
    where r.id = ${reportId} and ${isOn(sql.ref('person.id'), sql.ref<string>('person.kind'))}
    order by person.id
    on conflict (report_id, user_id) where report_id is not null do update set is_read = false, created_at = now()`.execute(
    db,
  )
}

/** Withdraws the notifications of a decision that was taken back. */
export async function deleteReportNotification(db: Db, reportId: number): Promise<void> {
  await db.deleteFrom('notifications').where('reportId', '=', reportId).execute()
}
