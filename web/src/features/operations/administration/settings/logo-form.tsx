import { t } from '@lingui/core/macro'
import { type FormEvent, useState } from 'react'
import { failureMessage } from '../../../../lib/forms/failure-message.ts'
import { fileOf } from '../../../../lib/forms/form-fields.ts'
import {
  acceptPictures,
  pictureFormatError,
  pictureFormatsHint,
} from '../../../../lib/forms/picture-formats.ts'
import { Button } from '../../../../ui/button.tsx'
import { FileField } from '../../../../ui/forms/file-field.tsx'
import styles from './settings-form.module.css'

/** Changes the logo of the site, or removes it. */
export function LogoForm({
  logo,
  error,
  isPending,
  isSaved,
  onSave,
}: {
  /** URL; null for that of Kinora. */
  logo: string | null
  /** Of the last attempt. */
  error: unknown
  isPending: boolean
  isSaved: boolean
  /** Saves a picture, or with null removes the logo. */
  onSave: (picture: File | null) => void
}) {
  const [refusal, setRefusal] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    const picture = fileOf(new FormData(event.currentTarget), 'logo')
    const found = picture ? pictureFormatError(picture) : t`Choose a picture first`
    setRefusal(found)
    if (picture && !found) onSave(picture)
    else event.currentTarget.querySelector('input')?.focus()
  }

  return (
    <form className={styles['form']} onSubmit={submit} aria-busy={isPending} noValidate>
      <FileField
        // shows the saved picture, and empties the field
        key={logo}
        label={t`Logo`}
        name="logo"
        shape="logo"
        prompt={t`Choose`}
        accept={acceptPictures}
        currentSrc={logo ?? undefined}
        hint={t`Square pictures look best; others are cropped. ${pictureFormatsHint}`}
        error={refusal ?? (error ? failureMessage(error) : undefined)}
        onPick={(picked) => setRefusal(picked && pictureFormatError(picked))}
      />
      <p className={styles['save']}>
        <Button type="submit" disabled={isPending}>{t`Save logo`}</Button>
        {logo !== null && <Button disabled={isPending} onClick={() => onSave(null)}>{t`Remove logo`}</Button>}
        <span role="status">{isSaved && t`Saved.`}</span>
      </p>
    </form>
  )
}
