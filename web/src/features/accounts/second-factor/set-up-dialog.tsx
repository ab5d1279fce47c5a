import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { beginSecondFactor, confirmSecondFactor } from '@kinora/contract/accounts/second-factor.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { fieldErrors, formError } from '../../../lib/forms/field-errors.ts'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { CurrentPasswordField } from '../../../ui/forms/current-password-field.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import styles from './set-up-dialog.module.css'

/** Sets up an authenticator app: the password, the QR code with a first code, then the recovery codes. */
export function SetUpDialog({ onClose }: { onClose: () => void }) {
  const beginning = useMutation({
    mutationFn: (password: string) => call(beginSecondFactor, { body: { password } }),
  })
  const confirmation = useMutation({
    mutationFn: (code: string) => call(confirmSecondFactor, { body: { code } }),
  })
  const secret = beginning.data
  const step = secret ? confirmation : beginning
  const name = secret ? 'code' : 'password'
  const error = fieldErrors(step.error)[name]

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!step.isPending)
      step.mutate(textOf(new FormData(form), name), {
        onError: (failure) => focusFirstInvalid(form, fieldErrors(failure)),
      })
  }

  return (
    <Dialog title={t`Set up an authenticator app`} onClose={onClose} width={480} closesOnOutsideClick={false}>
      {confirmation.data ? (
        <RecoveryCodes codes={confirmation.data.recoveryCodes} onDone={onClose} />
      ) : (
        <form onSubmit={submit} noValidate>
          {secret ? (
            <>
              <p>{t`Scan this with the app, or type the key into it.`}</p>
              <QrCode text={secret.uri} />
              <p className={styles['key']}>{secret.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</p>
              <Field
                key="code"
                label={t`Code that the app shows`}
                name={name}
                error={error}
                inputMode="numeric"
                autoComplete="one-time-code"
              />
            </>
          ) : (
            <CurrentPasswordField error={error} />
          )}
          <Alert>{formError(step.error, [name])}</Alert>
          <DialogActions>
            <Button onClick={onClose}>{t`Cancel`}</Button>
            <Button variant="solid" type="submit" disabled={step.isPending}>
              {secret ? t`Turn on` : t`Continue`}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}

/** A text as a QR code, black on white in both themes: not every scanner reads the opposite. */
function QrCode({ text }: { text: string }) {
  const { data } = useQuery({
    queryKey: ['qr-code', text],
    queryFn: async () => {
      const { renderSVG } = await import('uqr')
      return `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: 4 }))}`
    },
    // the text has the secret
    gcTime: 0,
  })
  return <img className={styles['qr']} src={data} alt={t`QR code for the authenticator app`} />
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <>
      <p role="status">
        <Trans>
          The authenticator app is on. Keep these recovery codes: each replaces a code of the app once. They
          are not shown again.
        </Trans>
      </p>
      <ul className={styles['codes']}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogActions>
        <Button
          onClick={({ currentTarget }) => void copyText(codes.join('\n'), currentTarget).then(setCopied)}
        >
          {isCopied ? t`Copied` : t`Copy the codes`}
        </Button>
        <Button variant="solid" onClick={onDone}>{t`Done`}</Button>
      </DialogActions>
    </>
  )
}
