import { t } from '@lingui/core/macro'
import type { FormEvent } from 'react'
import { fieldErrors, formError } from '../../../lib/forms/field-errors.ts'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { CheckGroup } from '../../../ui/forms/check-group.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { type NewShareLink, useCreateShareLink } from './api.ts'

const fields = ['name', 'password', 'expiresAt', 'maxViewers']

/** Dialog that creates a link to an own video. */
export function CreateShareLink({ videoId, onClose }: { videoId: string; onClose: () => void }) {
  const creating = useCreateShareLink(videoId)
  const errors = fieldErrors(creating.error)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (creating.isPending) return
    creating.mutate(read(new FormData(form)), {
      onSuccess: onClose,
      onError: (error) => focusFirstInvalid(form, fieldErrors(error)),
    })
  }

  return (
    <Dialog title={t`Create a share link`} onClose={onClose} closesOnOutsideClick={false}>
      <form onSubmit={submit} noValidate>
        <Field
          label={t`Who gets it`}
          name="name"
          maxLength={80}
          autoComplete="off"
          error={errors['name']}
          hint={t`Only you read this, for example: Class 4b`}
        />
        <Field
          label={t`Password (optional)`}
          name="password"
          maxLength={200}
          autoComplete="off"
          error={errors['password']}
          hint={t`Tell it to them another way than the link.`}
        />
        <Field
          label={t`Ends (optional)`}
          name="expiresAt"
          type="datetime-local"
          error={errors['expiresAt']}
          hint={t`In your time zone. You can revoke the link at any time.`}
        />
        <Field
          label={t`Number of viewers (optional)`}
          name="maxViewers"
          type="number"
          min={1}
          max={100_000}
          inputMode="numeric"
          error={errors['maxViewers']}
          hint={t`So many browsers can open it. Empty for any number.`}
        />
        <CheckGroup legend={t`Download`}>
          <label>
            <input type="checkbox" name="allowsDownload" />
            <span>{t`Viewers may download the uploaded file`}</span>
          </label>
        </CheckGroup>
        <Alert>{formError(creating.error, fields)}</Alert>
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button variant="solid" type="submit" disabled={creating.isPending}>
            {creating.isPending ? t`Creating…` : t`Create link`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function read(form: FormData): NewShareLink {
  const [password, end, maxViewers] = ['password', 'expiresAt', 'maxViewers'].map((name) =>
    textOf(form, name),
  )
  return {
    name: textOf(form, 'name'),
    ...(password && { password }),
    ...(end && { expiresAt: new Date(end).toISOString() }),
    ...(maxViewers && { maxViewers: Number(maxViewers) }),
    allowsDownload: form.has('allowsDownload'),
  }
}
