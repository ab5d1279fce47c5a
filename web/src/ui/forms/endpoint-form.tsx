import { t } from '@lingui/core/macro'
import type { ReactNode, Ref } from 'react'
import type { EndpointForm as Form } from '../../lib/forms/use-endpoint-form.ts'
import { Button } from '../button.tsx'
import { DialogActions } from '../dialog.tsx'
import { Alert } from '../feedback/alert.tsx'
import { FormActions } from './form-actions.tsx'
import { UnsavedChanges } from './unsaved-changes-dialog.tsx'

/** The fields of an endpoint, the error that belongs to none of them, and the button that sends them. */
export function EndpointForm({
  ref,
  label,
  form,
  submit,
  pending = submit,
  saved,
  variant = 'solid',
  isDisabled = false,
  onCancel,
  className,
  children,
}: {
  ref?: Ref<HTMLFormElement>
  /** Name of the form for screen readers. */
  label?: string
  /** Of `useEndpointForm`. */
  form: Form
  /** Labels of the button, the second one while the form is sent. A form with "Save" asks before its changes are lost. */
  submit?: string
  pending?: string
  /** Said beside the button about what was sent, in place of "Saved" while nothing else is typed. */
  saved?: string
  variant?: 'solid' | 'quiet' | 'danger'
  isDisabled?: boolean
  /** In a dialog: Cancel. */
  onCancel?: () => void
  className?: string | undefined
  children: ReactNode
}) {
  const button = (
    // A dialog is done with its form once it was sent.
    <Button
      variant={variant}
      type="submit"
      disabled={form.isPending || isDisabled || (onCancel !== undefined && form.isSaved)}
    >
      {(form.isPending ? pending : submit) ?? t`Save`}
    </Button>
  )
  return (
    <form
      ref={ref}
      className={className}
      aria-label={label}
      aria-busy={form.isPending}
      {...form.events}
      noValidate
    >
      {submit === undefined && !onCancel && form.isDirty && <UnsavedChanges />}
      {children}
      <Alert>{form.error}</Alert>
      {onCancel ? (
        <DialogActions>
          <Button onClick={onCancel}>{t`Cancel`}</Button>
          {button}
        </DialogActions>
      ) : (
        <FormActions saved={saved === undefined ? form.isSaved && t`Saved` : form.isSent && saved}>
          {button}
        </FormActions>
      )}
    </form>
  )
}
