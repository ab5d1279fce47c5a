import { type ReactNode, useId } from 'react'
import styles from './account-page.module.css'

/** One setting of a section: its heading, a sentence about it, and its controls. */
export function Setting({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {note && <p className={styles['note']}>{note}</p>}
      {children}
    </section>
  )
}
