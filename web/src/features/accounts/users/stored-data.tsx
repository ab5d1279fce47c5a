import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { getStoredData, type StoredData as Stored } from '@kinora/contract/portability/account-deletion.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { userKeys } from '../../../lib/rare-keys.ts'
import { paths } from '../../../paths.ts'
import { QuerySection } from '../../../ui/query-section.tsx'
import styles from './stored-data.module.css'

const labels: Record<keyof Stored, MessageDescriptor> = {
  videos: msg`Videos`,
  comments: msg`Comments`,
  likes: msg`Likes of videos and comments`,
  subscriptions: msg`Subscriptions`,
  playlists: msg`Playlists`,
  history: msg`Videos in the history`,
  dismissed: msg`Videos and channels that are not recommended`,
  notifications: msg`Notifications`,
  reports: msg`Reports to the moderators`,
  sessions: msg`Sessions`,
  devices: msg`Devices of sign-ins`,
  addresses: msg`Addresses of sign-ins, as hashes`,
  passkeys: msg`Passkeys`,
  apiTokens: msg`API tokens`,
}

/** Counts what is stored about the signed-in account. */
export function StoredData() {
  const query = useQuery({
    queryKey: userKeys.stored,
    queryFn: ({ signal }) => call(getStoredData, { signal }),
  })
  return (
    <QuerySection query={query} failure={t`Could not load what is stored`}>
      {(data) => {
        const counts = new Map(Object.entries(data))
        return (
          <>
            <dl className={styles['list']}>
              {Object.entries(labels).map(([name, label]) => (
                <div key={name}>
                  <dt>{i18n._(label)}</dt>
                  <dd>{formatFullCount(counts.get(name))}</dd>
                </div>
              ))}
            </dl>
            <p className={styles['note']}>
              <Link to={paths.privacy()}>{t`Retention and access`}</Link>
            </p>
          </>
        )
      }}
    </QuerySection>
  )
}
