import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { notificationKinds } from '@kinora/contract/constants.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { settings } from '../../../lib/settings.ts'
import { mutedQuery, useKinds, useMuteNotifications } from './api.ts'
import { kindNames } from './kind-names.ts'
import { MailSettings } from './mail-settings.tsx'
import { PushSettings } from './push-settings.tsx'
import styles from './notification-settings.module.css'

/** A switch for each kind of notification. A change is saved immediately. */
export function NotificationSettings() {
  const { data: muted, isError, refetch } = useQuery(mutedQuery)
  const allKinds = useKinds()
  const muting = useMuteNotifications()
  return (
    <>
      {muting.isError && <Alert>{failureMessage(muting.error)}</Alert>}
      {isError && !muted && (
        <LoadFailure title={t`Could not load your settings`} onRetry={() => void refetch()} />
      )}
      <ul className={styles['kinds']}>
        {(muted ? allKinds : notificationKinds).map((kind) => (
          <li key={kind}>
            {muted ? (
              <label>
                <input
                  type="checkbox"
                  checked={!muted.includes(kind)}
                  onChange={({ target }) => {
                    const others = muted.filter((each) => each !== kind)
                    muting.mutate(target.checked ? others : [...others, kind])
                  }}
                />
                {i18n._(kindNames[kind])}
              </label>
            ) : (
              !isError && <Skeleton />
            )}
          </li>
        ))}
      </ul>
      {settings.hasMail && <MailSettings />}
      <PushSettings />
    </>
  )
}
