import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { listLiveChannels, putLivePermission } from '@kinora/contract/live/live-streams.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { useRowAction } from '../../../lib/use-row-action.ts'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { RevocableList } from '../../../ui/revocable-list.tsx'
import { liveKeys } from './api.ts'

const allowedQuery = queryOptions({
  queryKey: liveKeys.allowed,
  queryFn: ({ signal }) => call(listLiveChannels, { signal }),
})

const permit = (username: string, isAllowed: boolean) =>
  call(putLivePermission, { params: { username }, body: { isAllowed } })

/** Accounts that may stream whatever their role. */
export function AllowedChannels() {
  const client = useQueryClient()
  const revoke = useRowAction({
    run: ({ username }: { username: string }) => permit(username, false),
    done: ({ username }) => t`${username} may no longer stream because of this.`,
    queryKey: allowedQuery.queryKey,
  })
  const form = useEndpointForm({
    fields: ['username'],
    send: (fields) => permit(textOf(fields, 'username'), true),
    onSuccess: (_, element) => {
      element.reset()
      void client.invalidateQueries(allowedQuery)
    },
  })
  return (
    <RevocableList
      label={t`Accounts that may stream`}
      query={useQuery(allowedQuery)}
      failure={t`Could not load the accounts`}
      action={revoke}
      rowOf={({ username, fullname }) => ({
        key: username,
        title: fullname,
        note: username,
        revoke: { label: t`Remove`, name: t`Remove ${username}` },
      })}
    >
      <EndpointForm form={form} submit={t`Allow`} saved={t`Allowed`} variant="quiet">
        <Field label={t`Username`} autoComplete="off" {...form.field('username')} />
      </EndpointForm>
    </RevocableList>
  )
}
