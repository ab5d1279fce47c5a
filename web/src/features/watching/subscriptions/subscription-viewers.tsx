import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  getSubscriptionSettings,
  putSubscriptionSettings,
  type SubscriptionSettings,
} from '@kinora/contract/watching/subscriptions.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { subscriptionKeys } from '../../../lib/query-keys.ts'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { QuerySection } from '../../../ui/query-section.tsx'

const settingsQuery = queryOptions({
  queryKey: subscriptionKeys.settings,
  queryFn: ({ signal }) => call(getSubscriptionSettings, { signal }),
})

/** Chooses who sees the channels that the account subscribes to. A change is saved immediately. */
export function SubscriptionViewers() {
  const client = useQueryClient()
  const query = useQuery(settingsQuery)
  const saving = useMutation({
    // one after the other: the last choice wins
    scope: { id: 'subscription-settings' },
    mutationFn: (body: SubscriptionSettings) => call(putSubscriptionSettings, { body }),
    onMutate: (body) => client.setQueryData(settingsQuery.queryKey, body),
    onError: () => client.invalidateQueries(settingsQuery),
  })
  return (
    <QuerySection query={query} failure={t`Could not load your settings`}>
      {(data) => (
        <>
          {saving.isError && <Alert>{failureMessage(saving.error)}</Alert>}
          <Select
            label={t`Who sees them`}
            hint={t`Channels still see that you subscribe to them, and your channel shows the number.`}
            value={data.visibleTo}
            onChange={({ target }) =>
              saving.mutate({ visibleTo: target.value === 'self' ? 'self' : 'members' })
            }
          >
            <option value="members">{t`Members`}</option>
            <option value="self">{t`Only me`}</option>
          </Select>
        </>
      )}
    </QuerySection>
  )
}
