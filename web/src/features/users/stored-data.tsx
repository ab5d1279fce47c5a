import { call } from '@kinora/contract/client.ts'
import { getStoredData } from '@kinora/contract/calls/users.ts'
import type { StoredData as Stored } from '@kinora/contract/users.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { userKeys } from '../../lib/query-keys.ts'
import { paths } from '../../paths.ts'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import styles from './stored-data.module.css'

const labels: Record<keyof Stored, string> = {
  videos: 'Videos',
  comments: 'Comments',
  likes: 'Likes of videos and comments',
  subscriptions: 'Subscriptions',
  playlists: 'Playlists',
  history: 'Videos in the history',
  dismissed: 'Videos and channels that are not recommended',
  notifications: 'Notifications',
  reports: 'Reports to the moderators',
  sessions: 'Sessions',
  devices: 'Devices of sign-ins',
  addresses: 'Addresses of sign-ins, as hashes',
  passkeys: 'Passkeys',
  apiTokens: 'API tokens',
}

/** Counts what is stored about the signed-in account. */
export function StoredData() {
  const { data, isError, refetch } = useQuery({
    queryKey: userKeys.stored,
    queryFn: ({ signal }) => call(getStoredData, { signal }),
  })
  if (isError && !data)
    return <LoadFailure title="Could not load what is stored" onRetry={() => void refetch()} />
  if (!data) return <Skeleton />
  const counts = new Map(Object.entries(data))
  return (
    <>
      <dl className={styles['list']}>
        {Object.entries(labels).map(([name, label]) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{counts.get(name)?.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
      <p className={styles['note']}>
        <Link to={paths.privacy()}>For how long, and who sees it</Link>
      </p>
    </>
  )
}
