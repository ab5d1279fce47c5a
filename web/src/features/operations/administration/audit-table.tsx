import { i18n, type MessageDescriptor } from '@lingui/core'
import { formatSecond } from '../../../lib/format/moment.ts'
import { msg, t } from '@lingui/core/macro'
import type { AuditAction, AuditEntry } from '@kinora/contract/operations/administration.ts'
import { commandLine } from '@kinora/contract/constants.ts'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { roleNames } from './people/role-names.ts'
import { settingNames } from './setting-names.ts'
import styles from './cells.module.css'

const actionNames: Record<AuditAction, MessageDescriptor> = {
  suspend: msg`suspended`,
  reinstate: msg`reinstated`,
  change_role: msg`changed the role of`,
  delete_account: msg`deleted the account`,
  take_down: msg`took down the video`,
  show_again: msg`showed again the video`,
  delete_video: msg`deleted the video`,
  end_stream: msg`ended the live stream`,
  approve_video: msg`approved the video`,
  hold_video: msg`held the video`,
  approve_comment: msg`approved the comment`,
  hold_comment: msg`held the comment`,
  delete_comment: msg`deleted the comment`,
  restore_comment: msg`restored the comment`,
  delete_clip: msg`removed the clip`,
  dismiss_report: msg`dismissed reports about`,
  reopen_report: msg`reopened reports about`,
  uphold_removal: msg`kept removed`,
  create_invitation: msg`created the invitation`,
  delete_invitation: msg`deleted the invitation`,
  change_settings: msg`changed the setting`,
  change_quota: msg`changed the quota of`,
  retry_job: msg`retried the job`,
  dismiss_failure: msg`dismissed the failure of`,
  free_space: msg`freed space of the`,
  create_backup: msg`started the backup`,
  verify_backup: msg`verified the backup`,
  create_account: msg`created the account`,
  end_sessions: msg`signed out`,
  create_password_link: msg`created a password link for`,
  reset_password: msg`set a new password of`,
  remove_second_factor: msg`removed the second factor of`,
  revoke_token: msg`revoked API tokens of`,
  reprocess_video: msg`reprocessed the video`,
  mark_sensitive: msg`marked as sensitive the video`,
  unmark_sensitive: msg`removed the sensitive mark of the video`,
}

/** Details that are no text of a person. */
const detailNames: Partial<Record<AuditAction, Record<string, MessageDescriptor>>> = {
  change_role: roleNames,
  end_sessions: { 'one session': msg`one session` },
  revoke_token: { all: msg`all` },
}

/** Entries of the audit log. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <DataTable
      labelledBy="entries"
      rows={entries}
      idOf={({ _id }) => _id}
      columns={[
        {
          heading: t`Time`,
          kind: 'day',
          isLabelled: false,
          render: ({ happenedAt }) => <time dateTime={happenedAt}>{formatSecond(happenedAt)}</time>,
        },
        {
          heading: t`Who`,
          render: ({ actor }) => (
            <b className={styles['name']}>{actor === commandLine ? t`command line` : actor}</b>
          ),
        },
        {
          heading: t`What`,
          render: ({ action, subject, title }) => (
            <>
              {i18n._(actionNames[action])}{' '}
              {title ? (
                <Link className={styles['name']} to={paths.watch(subject)} dir="auto">
                  {title}
                </Link>
              ) : (
                <b className={styles['name']}>{subjectOf(action, subject)}</b>
              )}
            </>
          ),
        },
        {
          heading: t`Details`,
          kind: 'wide',
          render: ({ action, details }) => {
            const shown = detailsOf(action, details)
            return shown !== null && <bdi>{shown}</bdi>
          },
        },
      ]}
    />
  )
}

/** Settings have their names of the settings page. */
function subjectOf(action: AuditAction, subject: string): string {
  const name = action === 'change_settings' ? settingNames[subject] : undefined
  return name ? i18n._(name) : subject
}

function detailsOf(action: AuditAction, details: string | null): string | null {
  if (action === 'change_settings' && details === 'true') return t`On`
  if (action === 'change_settings' && details === 'false') return t`Off`
  const name = details === null ? undefined : detailNames[action]?.[details]
  return name ? i18n._(name) : details
}
