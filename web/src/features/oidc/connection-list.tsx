import { linkOidc, listOidc, unlinkOidc } from '@kinora/contract/calls.ts'
import { call } from '@kinora/contract/client.ts'
import type { OidcConnection } from '@kinora/contract/oidc.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { formatAge } from '../../lib/format/age.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { sessionKeys } from '../../lib/query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Field } from '../../ui/forms/field.tsx'
import styles from './oidc.module.css'

const connectionsQuery = queryOptions({
  queryKey: sessionKeys.oidc,
  queryFn: ({ signal }) => call(listOidc, { signal }),
})

/** Identity providers of the site: connect the account, or disconnect it. */
export function ConnectionList() {
  const client = useQueryClient()
  const [nowMs] = useState(() => Date.now())
  const [added, setAdded] = useState<OidcConnection>()
  const { data, isError, refetch } = useQuery(connectionsQuery)
  const removal = useMutation({
    mutationFn: (provider: string) => call(unlinkOidc, { params: { provider } }),
    onSettled: () => client.invalidateQueries(connectionsQuery),
  })
  if (isError && !data)
    return <LoadFailure title="Could not load your connections" onRetry={() => void refetch()} />
  if (!data) return <Skeleton />
  return (
    <>
      <ul className={styles['list']}>
        {data.providers.map((connection) => {
          const { provider, name, linkedAt, usedAt } = connection
          return (
            <li key={provider}>
              <div>
                <b>{name}</b>
                <p className={styles['note']}>
                  {linkedAt ? `Connected ${formatAge(linkedAt, nowMs).toLowerCase()}` : 'Not connected'}
                  {usedAt && `, used ${formatAge(usedAt, nowMs).toLowerCase()}`}
                </p>
              </div>
              {linkedAt ? (
                <Button
                  disabled={removal.isPending}
                  aria-label={`Disconnect ${name}`}
                  onClick={() => removal.mutate(provider)}
                >
                  Disconnect
                </Button>
              ) : (
                <Button aria-label={`Connect ${name}`} onClick={() => setAdded(connection)}>
                  Connect
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {removal.isError && <Alert>{failureMessage(removal.error)}</Alert>}
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
    if (!linking.isPending) linking.mutate(textOf(new FormData(event.currentTarget), 'password'))
  }

  return (
    <Dialog title={`Connect ${name}`} onClose={onClose} width={440} closesOnOutsideClick={false}>
      <form onSubmit={submit} noValidate>
        <p>You continue at {name}. Afterwards it signs you in without a password and without a code.</p>
        {hasPassword && (
          <Field label="Password" name="password" type="password" autoComplete="current-password" />
        )}
        <Alert>{linking.error ? failureMessage(linking.error) : undefined}</Alert>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="solid" type="submit" disabled={linking.isPending}>
            Continue
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
