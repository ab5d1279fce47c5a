import { t } from '@lingui/core/macro'
import type { Person } from '@kinora/contract/operations/people.ts'
import { dateLocale } from '../../../../lib/i18n/language.ts'
import { Badge } from '../../../../ui/badge.tsx'

const dayFormat = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short' })

/** Whether an account waits, is suspended or is being deleted; nothing for others. */
export function PersonBadges({ person: { isWaiting, deletesAt, suspendedAt } }: { person: Person }) {
  return (
    <>
      {isWaiting && <Badge>{t({ message: 'Waiting', context: 'a person' })}</Badge>}
      {deletesAt !== null && (
        <Badge isAlarming>{t`Deletes on ${dayFormat.format(new Date(deletesAt))}`}</Badge>
      )}
      {suspendedAt !== null && deletesAt === null && !isWaiting && <Badge isAlarming>{t`Suspended`}</Badge>}
    </>
  )
}
