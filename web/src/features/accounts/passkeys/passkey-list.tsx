import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  addPasskey,
  beginPasskey,
  deletePasskey,
  listPasskeys,
  type Passkey,
} from '@kinora/contract/accounts/passkeys.ts'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { fieldErrors, formError } from '../../../lib/forms/field-errors.ts'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { formatAgeInSentence } from '../../../lib/format/age.ts'
import { sessionKeys } from '../../../lib/query-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { CurrentPasswordField } from '../../../ui/forms/current-password-field.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Row, RowList } from '../../../ui/row-list.tsx'
import { canUsePasskeys, rememberPasskeyUse } from './passkey-support.ts'

const passkeysQuery = queryOptions({
  queryKey: sessionKeys.passkeys,
  queryFn: ({ signal }) => call(listPasskeys, { signal }),
})

/** The passkeys of the account, and a button that adds one. */
export function PasskeyList() {
  const client = useQueryClient()
  const [nowMs] = useState(() => Date.now())
  const [isAdding, setAdding] = useState(false)
  const [toDelete, setToDelete] = useState<Passkey>()
  const list = useRef<HTMLUListElement>(null)
  const { data: passkeys, isError, refetch } = useQuery(passkeysQuery)
  const removePasskey = useMutation({
    mutationFn: ({ _id: passkeyId }: Passkey) => call(deletePasskey, { params: { passkeyId } }),
    // the focused button disappears
    onSuccess: () => list.current?.focus(),
    onSettled: () => client.invalidateQueries(passkeysQuery),
  })
  const close = () => {
    setAdding(false)
    void client.invalidateQueries(passkeysQuery)
  }
  if (isError && !passkeys)
    return <LoadFailure title={t`Could not load your passkeys`} onRetry={() => void refetch()} />
  if (!passkeys) return <Skeleton />
  return (
    <>
      <RowList ref={list} label={t`Passkeys`}>
        {passkeys.map((passkey) => {
          const { _id: id, name, createdAt, usedAt } = passkey
          const added = formatAgeInSentence(createdAt, nowMs)
          const used = usedAt && formatAgeInSentence(usedAt, nowMs)
          return (
            <Row
              key={id}
              title={name}
              note={used ? t`Added ${added}, used ${used}` : t`Added ${added}, not used yet`}
              controls={
                <Button
                  disabled={removePasskey.isPending}
                  aria-label={t`Delete the passkey of ${name}`}
                  onClick={() => setToDelete(passkey)}
                >{t`Delete`}</Button>
              }
            />
          )
        })}
      </RowList>
      {removePasskey.isError && <Alert>{failureMessage(removePasskey.error)}</Alert>}
      <Status>{removePasskey.isSuccess && t`The passkey is deleted.`}</Status>
      {canUsePasskeys() ? (
        <Button onClick={() => setAdding(true)}>{t`Add a passkey`}</Button>
      ) : (
        <p>
          <Trans>
            This browser cannot add one here. Passkeys need an https address and a browser that has them.
          </Trans>
        </p>
      )}
      {toDelete && (
        <ConfirmDialog
          title={t`Delete this passkey?`}
          confirmLabel={t`Delete`}
          onConfirm={() => removePasskey.mutate(toDelete)}
          onClose={() => setToDelete(undefined)}
        >
          <p>
            <Trans>
              The passkey of {toDelete.name} no longer signs you in. Also delete it from that device.
            </Trans>
          </p>
        </ConfirmDialog>
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
      rememberPasskeyUse()
      onClose()
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!adding.isPending)
      adding.mutate(textOf(new FormData(form), 'password'), {
        onError: (error) => focusFirstInvalid(form, fieldErrors(error)),
      })
  }

  return (
    <Dialog title={t`Add a passkey`} onClose={onClose} width={440} closesOnOutsideClick={false}>
      <form onSubmit={submit} noValidate>
        <p>{t`Your browser asks where to keep it. Afterwards it signs you in without a password.`}</p>
        <CurrentPasswordField error={fieldErrors(adding.error)['password']} />
        <Alert>{formError(adding.error, ['password'], t`Your browser created no passkey`)}</Alert>
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button variant="solid" type="submit" disabled={adding.isPending}>{t`Continue`}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
