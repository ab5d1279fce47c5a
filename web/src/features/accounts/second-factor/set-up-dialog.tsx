import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { beginSecondFactor, confirmSecondFactor } from '@kinora/contract/accounts/second-factor.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { CurrentPasswordField } from '../../../ui/forms/current-password-field.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import styles from './set-up-dialog.module.css'

/** Sets up an authenticator app: the password, the QR code with a first code, then the recovery codes. */
export function SetUpDialog({ onClose }: { onClose: () => void }) {
  const beginning = useEndpointForm({
    fields: ['password'],
    send: (fields) => call(beginSecondFactor, { body: { password: textOf(fields, 'password') } }),
  })
  const confirmation = useEndpointForm({
    fields: ['code'],
    send: (fields) => call(confirmSecondFactor, { body: { code: textOf(fields, 'code') } }),
  })
  const secret = beginning.result
  return (
    <Dialog title={t`Set up an authenticator app`} onClose={onClose} width={480} closesOnOutsideClick={false}>
      {confirmation.result && <RecoveryCodes codes={confirmation.result.recoveryCodes} onDone={onClose} />}
      {secret && !confirmation.result && (
        <EndpointForm key="code" form={confirmation} submit={t`Turn on`} onCancel={onClose}>
          <p>{t`Scan this with the app, or type the key into it.`}</p>
          <QrCode text={secret.uri} />
          <p className={styles['key']}>{secret.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</p>
          <Field
            label={t`Code that the app shows`}
            inputMode="numeric"
            autoComplete="one-time-code"
            {...confirmation.field('code')}
          />
        </EndpointForm>
      )}
      {!secret && (
        <EndpointForm key="password" form={beginning} submit={t`Continue`} onCancel={onClose}>
          <CurrentPasswordField error={beginning.field('password').error} />
        </EndpointForm>
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
