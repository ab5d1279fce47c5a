import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

/** Empty state: a heading, a sentence and an optional link. */
export function EmptyState({
  title,
  text,
  children,
}: {
  title: string
  text?: string
  children?: ReactNode
}) {
  return (
    <div className={styles['empty']}>
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children && <div className={styles['way-on']}>{children}</div>}
    </div>
  )
}
