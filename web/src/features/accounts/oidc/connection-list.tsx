import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { linkOidc, listOidc, unlinkOidc, type OidcConnection } from '@kinora/contract/accounts/oidc.ts'
import { call } from '@kinora/contract/client.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { accountKeys } from '../../../lib/account-keys.ts'
import { useRowAction } from '../../../lib/use-row-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { RevocableList } from '../../../ui/revocable-list.tsx'

const connectionsQuery = queryOptions({
  queryKey: accountKeys.oidc,
  queryFn: ({ signal }) => call(listOidc, { signal }),
})

/** Identity providers of the site: connect the account, or disconnect it. */
export function ConnectionList() {
  const [nowMs] = useState(() => Date.now())
  const [added, setAdded] = useState<OidcConnection>()
  const query = useQuery(connectionsQuery)
  const disconnect = useRowAction({
    run: ({ provider }: OidcConnection) => call(unlinkOidc, { params: { provider } }),
    confirm: (connection) => ({
      title: t`Disconnect ${connection.name}?`,
      text: t`${connection.name} no longer signs you in. You can connect it again.`,
      label: t`Disconnect`,
    }),
    done: (connection) => t`${connection.name} is disconnected.`,
    queryKey: connectionsQuery.queryKey,
  })
  return (
    <RevocableList
      label={t`Identity providers`}
      query={{ ...query, data: query.data?.providers }}
      failure={t`Could not load your connections`}
      action={disconnect}
      rowOf={(connection) => {
        const { provider: key, name, linkedAt } = connection
        return {
          key,
          title: name,
          note: describeUse(connection, nowMs),
          revoke: linkedAt === null ? undefined : { label: t`Disconnect`, name: t`Disconnect ${name}` },
          controls: linkedAt === null && (
            <Button aria-label={t`Connect ${name}`} onClick={() => setAdded(connection)}>{t`Connect`}</Button>
          ),
        }
      }}
    >
      {added && query.data && (
        <ConnectDialog
          connection={added}
          hasPassword={query.data.hasPassword}
          onClose={() => setAdded(undefined)}
        />
      )}
    </RevocableList>
  )
}

/** "Connected 3 days ago, used 1 hour ago" */
function describeUse({ linkedAt, usedAt }: OidcConnection, nowMs: number): string {
  if (linkedAt === null) return t`Not connected`
  const linked = formatAgeInSentence(linkedAt, nowMs)
  const used = usedAt && formatAgeInSentence(usedAt, nowMs)
  return used ? t`Connected ${linked}, used ${used}` : t`Connected ${linked}`
}

function ConnectDialog({
  connection: { provider, name },
  hasPassword,
  onClose,
}: {
  connection: OidcConnection
  hasPassword: boolean
  onClose: () => void
}) {
  const form = useEndpointForm({
    fields: ['password'],
    send: (fields) =>
      call(linkOidc, { params: { provider }, body: { password: textOf(fields, 'password') } }),
    onSuccess: ({ url }) => location.assign(url),
  })
  return (
    <Dialog title={t`Connect ${name}`} onClose={onClose} width={440} closesOnOutsideClick={false}>
      <EndpointForm form={form} submit={t`Continue`} onCancel={onClose}>
        <p>
          <Trans>
            You continue at {name}. Afterwards it signs you in without a password and without a code.
          </Trans>
        </p>
        {hasPassword && (
          <Field
            label={t`Password`}
            type="password"
            autoComplete="current-password"
            {...form.field('password')}
          />
        )}
      </EndpointForm>
    </Dialog>
  )
}
