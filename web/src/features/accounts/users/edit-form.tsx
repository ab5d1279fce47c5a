import { t } from '@lingui/core/macro'
import { type FormEvent, type ReactNode, useId } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { FormActions } from '../../../ui/forms/form-actions.tsx'
import styles from './edit-form.module.css'

/** One section of the profile with its own Save button; errors show above the button, successes beside it. */
export function EditForm({
  title,
  error,
  success,
  isSaving,
  onSave,
  children,
}: {
  title: string
  error: string | undefined
  success: string | undefined
  isSaving: boolean
  onSave: (fields: FormData) => void
  children: ReactNode
}) {
  const headingId = useId()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onSave(new FormData(event.currentTarget))
  }

  return (
    <form
      className={styles['form']}
      aria-labelledby={headingId}
      aria-busy={isSaving}
      onSubmit={submit}
      noValidate
    >
      <h3 id={headingId}>{title}</h3>
      {children}
      <Alert>{error}</Alert>
      <FormActions saved={success}>
        {/* Stays enabled after a save, because the page is about to reload and ignores further saves. */}
        <Button type="submit" variant="solid" disabled={isSaving}>{t`Save`}</Button>
      </FormActions>
    </form>
  )
}

/** Sections in one column, or several if there is room. */
export function EditForms({ children }: { children: ReactNode }) {
  return <div className={styles['forms']}>{children}</div>
}
