import { t } from '@lingui/core/macro'
import { type FormEvent, useState } from 'react'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { textError } from '../../../lib/forms/text-error.ts'
import { useInitialFocus } from '../../../lib/forms/use-initial-focus.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/forms/field.tsx'

const reasonMaxCharacters = 200

/** Asks what is sensitive in a video, which its viewers read. */
export function SensitiveDialog({
  title,
  onMark,
  onClose,
}: {
  title: string
  onMark: (reason: string) => void
  onClose: () => void
}) {
  const form = useInitialFocus()
  const [error, setError] = useState<string>()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const reason = textOf(new FormData(event.currentTarget), 'reason')
    const invalid = textError(t`Reason`, reason, reasonMaxCharacters)
    setError(invalid)
    if (invalid) return focusFirstInvalid(event.currentTarget, { reason: invalid })
    onClose()
    onMark(reason)
  }
  return (
    <Dialog title={t`Mark a video as sensitive`} closesOnOutsideClick={false} onClose={onClose}>
      <p>
        <bdi>“{title}”</bdi>. {t`Its pictures are blurred or left out, as each viewer has chosen.`}
      </p>
      <form ref={form} onSubmit={submit} noValidate>
        <Field
          label={t`Reason`}
          name="reason"
          required
          error={error}
          hint={t`Viewers read it, such as “Surgery” or “Flashing lights”.`}
        />
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" variant="solid">{t`Mark`}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
