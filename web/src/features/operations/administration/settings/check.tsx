import type { ComponentProps } from 'react'
import { FieldNotes, useFieldIds } from '../../../../ui/forms/field.tsx'
import styles from './settings-form.module.css'

/** A setting that is on or off. */
export function Check({
  label,
  hint,
  error,
  ...input
}: ComponentProps<'input'> & { label: string; hint: string | undefined; error: string | undefined }) {
  const ids = useFieldIds(undefined, error, hint)
  return (
    <div>
      <label className={styles['check']}>
        <input type="checkbox" aria-describedby={ids.describedBy} {...input} /> {label}
      </label>
      <FieldNotes ids={ids} error={error} hint={hint} />
    </div>
  )
}
