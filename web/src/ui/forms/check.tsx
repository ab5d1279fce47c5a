import type { ComponentProps } from 'react'
import styles from './check-group.module.css'
import { FieldNotes, useFieldIds } from './field.tsx'

/** A checkbox with its label, for something that is on or off. */
export function Check({
  label,
  hint,
  error,
  ...input
}: ComponentProps<'input'> & { label: string; hint?: string | undefined; error?: string | undefined }) {
  const ids = useFieldIds(undefined, error, hint)
  return (
    <div className={styles['one']}>
      <label>
        <input type="checkbox" aria-describedby={ids.describedBy} {...input} />
        <span>{label}</span>
      </label>
      <FieldNotes ids={ids} error={error} hint={hint} />
    </div>
  )
}
