import { type ReactNode } from 'react'
import styles from './check-group.module.css'
import { FieldNotes, useFieldIds } from './field.tsx'

/** Checkboxes below one legend; each child is a label with its checkbox. */
export function CheckGroup({
  legend,
  error,
  children,
}: {
  legend: string
  error?: string | undefined
  children: ReactNode
}) {
  const ids = useFieldIds(undefined, error)
  return (
    <fieldset className={styles['group']} aria-describedby={ids.describedBy}>
      <legend>{legend}</legend>
      {children}
      <FieldNotes ids={ids} error={error} />
    </fieldset>
  )
}
