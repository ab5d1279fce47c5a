import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { timeLocale } from '../../../lib/i18n/language.ts'
import { Trans } from '@lingui/react/macro'
import { call } from '@kinora/contract/client.ts'
import {
  type NotificationMails,
  getNotificationMails,
  putNotificationMails,
} from '@kinora/contract/messages/notification-mails.ts'
import { getEmailState } from '@kinora/contract/accounts/emails.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { notificationSettingKeys } from '../../../lib/rare-keys.ts'
import { accountKeys } from '../../../lib/account-keys.ts'
import { paths } from '../../../paths.ts'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { useKinds } from './api.ts'
import { kindNames } from './kind-names.ts'
import styles from './notification-settings.module.css'

const mailsQuery = queryOptions({
  queryKey: notificationSettingKeys.mails,
  queryFn: ({ signal }) => call(getNotificationMails, { signal }),
})
const emailQuery = queryOptions({
  queryKey: accountKeys.email,
  queryFn: ({ signal }) => call(getEmailState, { signal }),
})

const frequencyNames = {
  off: msg`Never`,
  immediate: msg`For each notification`,
  daily: msg`Once a day`,
} as const

/** The hours in UTC of a day, as people here read them and in their order. */
const hours = () =>
  Array.from({ length: 24 }, (_, hour) => {
    const time = new Date()
    time.setUTCHours(hour, 0, 0, 0)
    return {
      hour,
      localHour: time.getHours(),
      label: time.toLocaleTimeString(timeLocale, { timeStyle: 'short' }),
    }
  }).toSorted((a, b) => a.localHour - b.localHour)

/** Which notifications are mailed, and how often. A change is saved immediately. */
export function MailSettings() {
  const client = useQueryClient()
  const { data: mails, isError, refetch } = useQuery(mailsQuery)
  const { data: email } = useQuery(emailQuery)
  const allKinds = useKinds()
  const saving = useMutation({
    // one after the other: the last choice wins
    scope: { id: 'notification-mails' },
    mutationFn: (choice: NotificationMails) => call(putNotificationMails, { body: choice }),
    onMutate: (choice) => client.setQueryData(mailsQuery.queryKey, choice),
    onError: () => client.invalidateQueries(mailsQuery),
  })
  if (!mails)
    return isError ? (
      <LoadFailure title={t`Could not load your settings`} onRetry={() => void refetch()} />
    ) : (
      <Skeleton />
    )
  const { frequency, hour, kinds } = mails
  const frequencies = Object.entries(frequencyNames) as [NotificationMails['frequency'], MessageDescriptor][]
  return (
    <section aria-label={t`By mail`}>
      {saving.isError && <Alert>{failureMessage(saving.error)}</Alert>}
      <Select
        label={t`Send mails`}
        value={frequency}
        onChange={({ target }) => {
          const chosen = frequencies.find(([name]) => name === target.value)?.[0] ?? 'off'
          saving.mutate({ frequency: chosen, hour, kinds })
        }}
      >
        {frequencies.map(([name, label]) => (
          <option key={name} value={name}>
            {i18n._(label)}
          </option>
        ))}
      </Select>
      {frequency !== 'off' && email && !email.isConfirmed && (
        <p className={styles['note']}>
          <Trans>
            Mails begin once your address is confirmed. <Link to={paths.account('security')}>Confirm it</Link>
          </Trans>
        </p>
      )}
      {frequency !== 'off' && email?.isRejected && (
        <p className={styles['note']}>
          <Trans>
            Mails have stopped, because your address refused them.{' '}
            <Link to={paths.account('security')}>Check your address</Link>
          </Trans>
        </p>
      )}
      {frequency === 'daily' && (
        <Select
          label={t`Time of the daily mail`}
          value={hour}
          onChange={({ target }) => saving.mutate({ frequency, hour: Number(target.value), kinds })}
        >
          {hours().map((each) => (
            <option key={each.hour} value={each.hour}>
              {each.label}
            </option>
          ))}
        </Select>
      )}
      {frequency !== 'off' && kinds.length === 0 && (
        <p className={styles['note']}>{t`Choose what is mailed.`}</p>
      )}
      {frequency !== 'off' && (
        <ul className={styles['kinds']}>
          {allKinds.map((kind) => (
            <li key={kind}>
              <label>
                <input
                  type="checkbox"
                  aria-label={t`${i18n._(kindNames[kind])}, by mail`}
                  checked={kinds.includes(kind)}
                  onChange={({ target }) => {
                    const others = kinds.filter((each) => each !== kind)
                    saving.mutate({ frequency, hour, kinds: target.checked ? [...others, kind] : others })
                  }}
                />
                {i18n._(kindNames[kind])}
              </label>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
