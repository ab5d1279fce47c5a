import type { AuditAction, AuditEntry } from '@kinora/contract/administration.ts'
import styles from './table.module.css'

const actionNames: Record<AuditAction, string> = {
  suspend: 'suspended',
  reinstate: 'reinstated',
  change_role: 'changed the role of',
  delete_account: 'deleted the account',
  take_down: 'took down the video',
  show_again: 'showed again the video',
  delete_video: 'deleted the video',
  approve_comment: 'approved the comment',
  hold_comment: 'held the comment',
  delete_comment: 'deleted the comment',
  restore_comment: 'restored the comment',
  dismiss_report: 'dismissed reports about',
  reopen_report: 'reopened reports about',
  uphold_removal: 'kept removed',
  create_invitation: 'created the invitation',
  delete_invitation: 'deleted the invitation',
  change_settings: 'changed the setting',
  change_quota: 'changed the quota of',
  retry_job: 'retried the job',
  free_space: 'freed space of the',
  create_backup: 'started the backup',
  verify_backup: 'verified the backup',
}

const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** Who did what to whom. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col">Details</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ _id, happenedAt, actor, action, subject, details }) => (
          <tr key={_id}>
            <td className={styles['day']}>
              <time dateTime={happenedAt}>{timeFormat.format(new Date(happenedAt))}</time>
            </td>
            <td className={styles['name']}>{actor}</td>
            <td>
              {actionNames[action]} <b className={styles['name']}>{subject}</b>
            </td>
            <td className={styles['wide']} dir="auto">
              {details}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
