import { CircleAlert, CircleCheck } from 'lucide-react'
import { Children, type ReactNode } from 'react'
import styles from './alert.module.css'
import { Icon } from '../icon.tsx'

/** Error message in an assertive live region. Renders nothing without a text. */
export function Alert({ children }: { children: ReactNode }) {
  if (isEmpty(children)) return null
  return (
    <div className={styles['alert']} role="alert">
      <Icon of={CircleAlert} />
      <span>{children}</span>
    </div>
  )
}

/** Confirmation in a polite live region. Renders nothing without a text. */
export function Status({ children }: { children: ReactNode }) {
  if (isEmpty(children)) return null
  return (
    <div className={styles['status']} role="status">
      <Icon of={CircleCheck} />
      <span>{children}</span>
    </div>
  )
}

/** Conditions of which none holds are several children, but no text. */
const isEmpty = (children: ReactNode) => Children.toArray(children).every((child) => child === '')
