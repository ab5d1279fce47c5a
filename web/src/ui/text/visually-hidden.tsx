import type { ReactNode } from 'react'
import styles from './visually-hidden.module.css'

/** Text for screen readers only. */
export function VisuallyHidden({
  as: Element = 'span',
  children,
}: {
  as?: 'span' | 'div' | 'h1' | 'h2'
  children: ReactNode
}) {
  return <Element className={styles['hidden']}>{children}</Element>
}
