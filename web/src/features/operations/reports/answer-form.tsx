import { t } from '@lingui/core/macro'
import { reportTextMaxCharacters } from '@kinora/contract/constants.ts'
import { type FormEvent, useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { textError } from '../../../lib/forms/text-error.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { TextArea } from '../../../ui/forms/field.tsx'
import styles from './answer-form.module.css'

/** The one answer of the person whom a decision concerns. */
export function AnswerForm({
  sendAnswer: { mutate, isPending, error: failure },
}: {
  sendAnswer: { mutate: (text: string) => void; isPending: boolean; error: unknown }
}) {
  const [error, setError] = useState<string>()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    const text = textOf(new FormData(event.currentTarget), 'text')
    const invalid = textError(t`Answer`, text, reportTextMaxCharacters)
    setError(invalid)
    if (invalid) return focusFirstInvalid(event.currentTarget, { text: invalid })
    mutate(text)
  }
  return (
    <form onSubmit={submit} noValidate>
      {failure !== null && <Alert>{failureMessage(failure)}</Alert>}
      <TextArea
        label={t`Answer`}
        name="text"
        rows={4}
        required
        error={error}
        hint={t`If you think that this is wrong, say why. You can answer once.`}
      />
      <p className={styles['send']}>
        <Button type="submit" variant="solid" disabled={isPending}>{t`Send answer`}</Button>
      </p>
    </form>
  )
}
