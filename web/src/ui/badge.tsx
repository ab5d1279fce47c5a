import type { ReactNode } from 'react'
import styles from './badge.module.css'

/** A state in a word or two, such as "Suspended". */
export function Badge({
  isAlarming = false,
  tone = isAlarming ? 'alarming' : 'quiet',
  children,
}: {
  isAlarming?: boolean
  tone?: 'quiet' | 'good' | 'alarming'
  children: ReactNode
}) {
  return (
    <span className={styles['badge']} data-tone={tone}>
      {children}
    </span>
  )
}
