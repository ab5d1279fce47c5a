import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { linkOidc, listOidc, unlinkOidc, type OidcConnection } from '@kinora/contract/accounts/oidc.ts'
import { call } from '@kinora/contract/client.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { fieldErrors, formError } from '../../../lib/forms/field-errors.ts'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { sessionKeys } from '../../../lib/query-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Row, RowList } from '../../../ui/row-list.tsx'

const connectionsQuery = queryOptions({
  queryKey: sessionKeys.oidc,
  queryFn: ({ signal }) => call(listOidc, { signal }),
})

/** Identity providers of the site: connect the account, or disconnect it. */
export function ConnectionList() {
  const client = useQueryClient()
  const [nowMs] = useState(() => Date.now())
  const [added, setAdded] = useState<OidcConnection>()
  const [toDisconnect, setToDisconnect] = useState<OidcConnection>()
  const list = useRef<HTMLUListElement>(null)
  const { data, isError, refetch } = useQuery(connectionsQuery)
  const disconnect = useMutation({
    mutationFn: ({ provider }: OidcConnection) => call(unlinkOidc, { params: { provider } }),
    // the focused button disappears
    onSuccess: () => list.current?.focus(),
    onSettled: () => client.invalidateQueries(connectionsQuery),
  })
  if (isError && !data)
    return <LoadFailure title={t`Could not load your connections`} onRetry={() => void refetch()} />
  if (!data) return <Skeleton />
  return (
    <>
      <RowList ref={list} label={t`Identity providers`}>
        {data.providers.map((connection) => {
          const { provider, name, linkedAt } = connection
          return (
            <Row
              key={provider}
              title={name}
              note={describeUse(connection, nowMs)}
              controls={
                linkedAt ? (
                  <Button
                    disabled={disconnect.isPending}
                    aria-label={t`Disconnect ${name}`}
                    onClick={() => setToDisconnect(connection)}
                  >{t`Disconnect`}</Button>
                ) : (
                  <Button
                    aria-label={t`Connect ${name}`}
                    onClick={() => setAdded(connection)}
                  >{t`Connect`}</Button>
                )
              }
            />
          )
        })}
      </RowList>
      {disconnect.isError && <Alert>{failureMessage(disconnect.error)}</Alert>}
      <Status>{disconnect.isSuccess && t`${disconnect.variables.name} is disconnected.`}</Status>
      {toDisconnect && (
        <ConfirmDialog
          title={t`Disconnect ${toDisconnect.name}?`}
          confirmLabel={t`Disconnect`}
          onConfirm={() => disconnect.mutate(toDisconnect)}
          onClose={() => setToDisconnect(undefined)}
        >
          <p>{t`${toDisconnect.name} no longer signs you in. You can connect it again.`}</p>
        </ConfirmDialog>
      )}
      {added && (
        <ConnectDialog
          connection={added}
          hasPassword={data.hasPassword}
          onClose={() => setAdded(undefined)}
        />
      )}
    </>
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
  const linking = useMutation({
    mutationFn: (password: string) => call(linkOidc, { params: { provider }, body: { password } }),
    onSuccess: ({ url }) => location.assign(url),
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!linking.isPending)
      linking.mutate(textOf(new FormData(form), 'password'), {
        onError: (error) => focusFirstInvalid(form, fieldErrors(error)),
      })
  }

  return (
    <Dialog title={t`Connect ${name}`} onClose={onClose} width={440} closesOnOutsideClick={false}>
      <form onSubmit={submit} noValidate>
        <p>
          <Trans>
            You continue at {name}. Afterwards it signs you in without a password and without a code.
          </Trans>
        </p>
        {hasPassword && (
          <Field
            label={t`Password`}
            name="password"
            type="password"
            autoComplete="current-password"
            error={fieldErrors(linking.error)['password']}
          />
        )}
        <Alert>{formError(linking.error, ['password'])}</Alert>
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button variant="solid" type="submit" disabled={linking.isPending}>{t`Continue`}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
