import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'

type Common = {
  label: string
  /** Validation error, announced and linked to the field. */
  error?: string | undefined
  hint?: string | undefined
}

/** Advice against an accepted value; empty for none at present. */
type Advised = { warning?: string | undefined }

/** A labelled line of text with its hint and its error below. */
export function Field({
  label,
  error,
  hint,
  warning,
  end,
  id,
  ...input
}: ComponentProps<'input'> & Common & Advised & { /** A button in the field. */ end?: ReactNode }) {
  const ids = useFieldIds(id, error, hint, warning)
  return (
    <div className={styles['field']}>
      <label htmlFor={ids.id}>{label}</label>
      <div className={styles['control']}>
        <input
          dir="auto"
          {...input}
          id={ids.id}
          aria-invalid={error ? true : input['aria-invalid']}
          aria-describedby={ids.describedBy}
        />
        {end}
      </div>
      <FieldNotes ids={ids} error={error} hint={hint} warning={warning} />
    </div>
  )
}

/** A labelled text area with hint and error. */
export function TextArea({ label, error, hint, id, ...input }: ComponentProps<'textarea'> & Common) {
  const ids = useFieldIds(id, error, hint)
  return (
    <div className={styles['field']}>
      <label htmlFor={ids.id}>{label}</label>
      <textarea
        rows={5}
        dir="auto"
        {...input}
        id={ids.id}
        aria-invalid={error ? true : undefined}
        aria-describedby={ids.describedBy}
      />
      <FieldNotes ids={ids} error={error} hint={hint} />
    </div>
  )
}

type FieldIds = {
  id: string
  hintId: string
  errorId: string
  warningId: string
  describedBy: string | undefined
}

/** Ids that link a control to its hint and error. */
export function useFieldIds(
  id: string | undefined,
  error?: string,
  hint?: string,
  warning?: string,
): FieldIds {
  const generated = useId()
  const base = id ?? generated
  const describedBy = [error && `${base}-error`, warning && `${base}-warning`, hint && `${base}-hint`]
    .filter(Boolean)
    .join(' ')
  return {
    id: base,
    hintId: `${base}-hint`,
    errorId: `${base}-error`,
    warningId: `${base}-warning`,
    describedBy: describedBy || undefined,
  }
}

/** The error and the hint under a control. */
export function FieldNotes({
  ids,
  error,
  hint,
  warning,
}: {
  ids: FieldIds
  error?: string | undefined
  hint?: string | undefined
  warning?: string | undefined
}) {
  return (
    <>
      {error && (
        <p className={styles['error']} id={ids.errorId} role="alert">
          {error}
        </p>
      )}
      {warning !== undefined && (
        // In the page before it has a text: screen readers announce changes. No role, because a form has one status.
        <p className={styles['warning']} id={ids.warningId} aria-live="polite">
          {warning}
        </p>
      )}
      {hint && (
        <p className={styles['hint']} id={ids.hintId}>
          {hint}
        </p>
      )}
    </>
  )
}
