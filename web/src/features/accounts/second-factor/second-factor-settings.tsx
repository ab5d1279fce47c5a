import { plural, t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { removeSecondFactor } from '@kinora/contract/accounts/second-factor.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldErrors, formError } from '../../../lib/forms/field-errors.ts'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { CurrentPasswordField } from '../../../ui/forms/current-password-field.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { secondFactorQuery } from './api.ts'
import { SetUpDialog } from './set-up-dialog.tsx'

/** Turns the authenticator app of the account on and off. */
export function SecondFactorSettings() {
  const client = useQueryClient()
  const { data: state, isError, refetch } = useQuery(secondFactorQuery)
  // chosen at the click: a refetch must not replace the dialog while it shows the recovery codes
  const [dialog, setDialog] = useState<'setUp' | 'removal'>()
  const close = () => {
    setDialog(undefined)
    void client.invalidateQueries(secondFactorQuery)
  }
  if (isError && !state) return <LoadFailure title={t`Could not load this`} onRetry={() => void refetch()} />
  if (!state) return <Skeleton />
  return (
    <>
      <p>
        {state.isOn
          ? plural(state.recoveryCodesLeft, {
              one: 'On. # recovery code left.',
              other: 'On. # recovery codes left.',
            })
          : t`Off.`}
      </p>
      <Button onClick={() => setDialog(state.isOn ? 'removal' : 'setUp')}>
        {state.isOn ? t`Turn off` : t`Turn on`}
      </Button>
      {dialog === 'setUp' && <SetUpDialog onClose={close} />}
      {dialog === 'removal' && <RemovalDialog onClose={close} />}
    </>
  )
}

function RemovalDialog({ onClose }: { onClose: () => void }) {
  const removal = useMutation({
    mutationFn: (password: string) => call(removeSecondFactor, { body: { password } }),
    onSuccess: onClose,
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!removal.isPending)
      removal.mutate(textOf(new FormData(form), 'password'), {
        onError: (error) => focusFirstInvalid(form, fieldErrors(error)),
      })
  }

  return (
    <Dialog title={t`Turn off the authenticator app`} onClose={onClose} width={440}>
      <form onSubmit={submit} noValidate>
        <p>{t`Afterwards your password alone is enough. The recovery codes stop working.`}</p>
        <CurrentPasswordField error={fieldErrors(removal.error)['password']} />
        <Alert>{formError(removal.error, ['password'])}</Alert>
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button variant="danger" type="submit" disabled={removal.isPending}>{t`Turn off`}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
