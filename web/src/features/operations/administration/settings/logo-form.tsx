import { t } from '@lingui/core/macro'
import { deleteLogo, putLogo, type Site } from '@kinora/contract/operations/site.ts'
import { call } from '@kinora/contract/client.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage } from '../../../../lib/forms/failure-message.ts'
import { fileOf } from '../../../../lib/forms/form-fields.ts'
import {
  acceptPictures,
  pictureFormatError,
  pictureFormatsHint,
} from '../../../../lib/forms/picture-formats.ts'
import { useEndpointForm } from '../../../../lib/forms/use-endpoint-form.ts'
import { Button } from '../../../../ui/button.tsx'
import { Alert } from '../../../../ui/feedback/alert.tsx'
import { EndpointForm } from '../../../../ui/forms/endpoint-form.tsx'
import { FileField } from '../../../../ui/forms/file-field.tsx'
import styles from './settings-form.module.css'

/** Changes the logo of the site, or removes it. */
export function LogoForm({
  logo,
  onSaved,
}: {
  /** URL; null for that of Kinora. */
  logo: string | null
  onSaved: (result: { settings: Site }) => Promise<void>
}) {
  const [refusal, setRefusal] = useState<string>()
  const form = useEndpointForm({
    fields: ['logo'],
    check: (fields) => {
      const picture = fileOf(fields, 'logo')
      return { logo: picture ? pictureFormatError(picture) : t`Choose a picture first` }
    },
    send: (fields) => call(putLogo, { body: fields }),
    onSuccess: (result) => void onSaved(result),
  })
  const removal = useMutation({ mutationFn: () => call(deleteLogo, {}), onSuccess: onSaved })
  const { name, error } = form.field('logo')
  return (
    <>
      <EndpointForm className={styles['form']} form={form} submit={t`Save logo`} variant="quiet">
        <FileField
          // shows the saved picture, and empties the field
          key={logo}
          label={t`Logo`}
          name={name}
          shape="logo"
          prompt={t`Choose`}
          accept={acceptPictures}
          currentSrc={logo ?? undefined}
          hint={t`Square pictures look best; others are cropped. ${pictureFormatsHint}`}
          error={refusal ?? error}
          onPick={(picked) => setRefusal(picked && pictureFormatError(picked))}
        />
      </EndpointForm>
      {removal.error && <Alert>{failureMessage(removal.error)}</Alert>}
      {logo !== null && (
        <Button
          className={styles['remove']}
          variant="bare"
          disabled={removal.isPending}
          onClick={() => removal.mutate()}
        >{t`Remove logo`}</Button>
      )}
    </>
  )
}
