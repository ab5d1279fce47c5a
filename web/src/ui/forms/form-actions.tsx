import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import styles from './form-actions.module.css'

/** The buttons at the end of a form, and beside them that it is saved. */
export function FormActions({
  saved,
  children,
}: {
  /** For example "Saved"; false while it is not. */
  saved: string | false | undefined
  children: ReactNode
}) {
  return (
    <div className={styles['actions']}>
      {children}
      <Saved>{saved}</Saved>
    </div>
  )
}

/** Says beside its button that something is saved. Renders nothing without a text. */
function Saved({ children }: { children: string | false | undefined }) {
  if (!children) return null
  return (
    <span className={styles['saved']} role="status">
      <Icon of={Check} size={18} />
      {children}
    </span>
  )
}
