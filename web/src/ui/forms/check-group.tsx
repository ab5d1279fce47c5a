import { type ReactNode } from 'react'
import styles from './check-group.module.css'
import { FieldNotes, useFieldIds } from './field.tsx'

/** Checkboxes below one legend; each child is a label with its checkbox. */
export function CheckGroup({
  legend,
  error,
  hint,
  hasColumns = false,
  children,
}: {
  legend: string
  error?: string | undefined
  hint?: string | undefined
  /** For many short labels. */
  hasColumns?: boolean
  children: ReactNode
}) {
  const ids = useFieldIds(undefined, error, hint)
  return (
    <fieldset className={styles['group']} aria-describedby={ids.describedBy}>
      <legend>{legend}</legend>
      {hasColumns ? <div className={styles['columns']}>{children}</div> : children}
      <FieldNotes ids={ids} error={error} hint={hint} />
    </fieldset>
  )
}
