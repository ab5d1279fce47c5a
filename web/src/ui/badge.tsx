import type { ReactNode } from 'react'
import styles from './badge.module.css'

/** A state in a word or two, such as "Suspended". */
export function Badge({ isAlarming = false, children }: { isAlarming?: boolean; children: ReactNode }) {
  return (
    <span className={styles['badge']} data-alarming={isAlarming || undefined}>
      {children}
    </span>
  )
}
