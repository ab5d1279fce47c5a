import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

/** Nothing to show, said with a way on: a heading, a sentence, perhaps a link. */
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
