import { t } from '@lingui/core/macro'
import type { Person } from '@kinora/contract/operations/people.ts'
import { dateLocale } from '../../../../lib/i18n/language.ts'
import styles from '../table.module.css'

const dayFormat = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short' })

/** Whether an account waits, is suspended or is being deleted; nothing for others. */
export function PersonBadges({ person: { isWaiting, deletesAt, suspendedAt } }: { person: Person }) {
  return (
    <>
      {isWaiting && <span className={styles['badge']}>{t({ message: 'Waiting', context: 'a person' })}</span>}
      {deletesAt !== null && (
        <span className={styles['alarming']}>{t`Deletes on ${dayFormat.format(new Date(deletesAt))}`}</span>
      )}
      {suspendedAt !== null && deletesAt === null && !isWaiting && (
        <span className={styles['alarming']}>{t`Suspended`}</span>
      )}
    </>
  )
}
