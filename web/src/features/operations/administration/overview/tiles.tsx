import { type ReactNode, useId } from 'react'
import styles from './tiles.module.css'

/** Figures of the site beside each other. */
export function Tiles({ children }: { children: ReactNode }) {
  return <div className={styles['tiles']}>{children}</div>
}

/** A figure with its label and a note below. */
export function Tile({ label, value, note }: { label: string; value: string; note: string }) {
  const id = useId()
  return (
    <div className={styles['tile']} role="group" aria-labelledby={id}>
      <p className={styles['label']} id={id}>
        {label}
      </p>
      <p className={styles['value']}>{value}</p>
      <p className={styles['note']}>{note}</p>
    </div>
  )
}
