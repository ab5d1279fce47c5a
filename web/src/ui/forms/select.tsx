import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Icon } from '../icon.tsx'
import styles from './field.module.css'
import { FieldNotes, useFieldIds } from './field.tsx'

/** A choice of one of a few without a visible label; the options are its children. */
export function BareSelect(select: ComponentProps<'select'>) {
  return (
    <div className={styles['control']}>
      <select {...select} />
      <Icon of={ChevronDown} size={18} />
    </div>
  )
}

/** A labelled choice of one of a few; the options are its children. */
export function Select({
  label,
  error,
  hint,
  id,
  ...select
}: ComponentProps<'select'> & { label: string; error?: string | undefined; hint?: string | undefined }) {
  const ids = useFieldIds(id, error, hint)
  return (
    <div className={styles['field']}>
      <label htmlFor={ids.id}>{label}</label>
      <BareSelect
        {...select}
        id={ids.id}
        aria-invalid={error ? true : undefined}
        aria-describedby={ids.describedBy}
      />
      <FieldNotes ids={ids} error={error} hint={hint} />
    </div>
  )
}
