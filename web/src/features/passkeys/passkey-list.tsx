import { call } from '@kinora/contract/client.ts'
import { addPasskey, beginPasskey, deletePasskey, listPasskeys } from '@kinora/contract/calls.ts'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { formatAge } from '../../lib/format/age.ts'
import { sessionKeys } from '../../lib/query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { canUsePasskeys, noteUsedPasskey } from './passkey-support.ts'
import styles from './passkey-list.module.css'

const passkeysQuery = queryOptions({
  queryKey: sessionKeys.passkeys,
  queryFn: ({ signal }) => call(listPasskeys, { signal }),
})

/** The passkeys of the account, and a button that adds one. */
export function PasskeyList() {
  const client = useQueryClient()
  const [nowMs] = useState(() => Date.now())
  const [isAdding, setAdding] = useState(false)
  const { data: passkeys, isError, refetch } = useQuery(passkeysQuery)
  const deletion = useMutation({
    mutationFn: (passkeyId: string) => call(deletePasskey, { params: { passkeyId } }),
    onSettled: () => client.invalidateQueries(passkeysQuery),
  })
  const close = () => {
    setAdding(false)
    void client.invalidateQueries(passkeysQuery)
  }
  if (isError && !passkeys)
    return <LoadFailure title="Could not load your passkeys" onRetry={() => void refetch()} />
  if (!passkeys) return <Skeleton />
  return (
    <>
      <ul className={styles['list']}>
        {passkeys.map(({ _id: id, name, createdAt, usedAt }) => (
          <li key={id}>
            <div>
              <b>{name}</b>
              <p className={styles['note']}>
                Added {formatAge(createdAt, nowMs).toLowerCase()}
                {usedAt ? `, used ${formatAge(usedAt, nowMs).toLowerCase()}` : ', not used yet'}
              </p>
            </div>
            <Button
              disabled={deletion.isPending}
              aria-label={`Delete the passkey of ${name}`}
              onClick={() => deletion.mutate(id)}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
      {deletion.isError && <Alert>{failureMessage(deletion.error)}</Alert>}
      {canUsePasskeys() ? (
        <Button onClick={() => setAdding(true)}>Add a passkey</Button>
      ) : (
        <p className={styles['note']}>Passkeys need a browser that has them, and a site with TLS.</p>
      )}
      {isAdding && <AddDialog onClose={close} />}
    </>
  )
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const adding = useMutation({
    mutationFn: async (password: string) => {
      const { startRegistration } = await import('@simplewebauthn/browser')
      const options = await call(beginPasskey, { body: { password } })
      // the server's library made these options for this one
      const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
      const { id, rawId, type, response } = await startRegistration({ optionsJSON })
      const { clientDataJSON, attestationObject } = response
      return call(addPasskey, { body: { id, rawId, type, response: { clientDataJSON, attestationObject } } })
    },
    onSuccess: () => {
      noteUsedPasskey()
      onClose()
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!adding.isPending) adding.mutate(textOf(new FormData(event.currentTarget), 'password'))
  }

  return (
    <Dialog title="Add a passkey" onClose={onClose} width={440} closesOnOutsideClick={false}>
      <form onSubmit={submit} noValidate>
        <p>Your browser asks where to keep it. Afterwards it signs you in without a password.</p>
        <Field label="Password" name="password" type="password" autoComplete="current-password" />
        <Alert>
          {adding.error ? failureMessage(adding.error, 'Your browser created no passkey') : undefined}
        </Alert>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="solid" type="submit" disabled={adding.isPending}>
            Continue
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
