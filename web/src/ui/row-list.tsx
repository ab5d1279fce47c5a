import type { ReactNode, Ref } from 'react'
import styles from './row-list.module.css'

/** A list of things with controls. Move the focus to it when the control that had it goes with its row. */
export function RowList({
  ref,
  label,
  children,
}: {
  ref?: Ref<HTMLUListElement>
  label: string
  children: ReactNode
}) {
  return (
    <ul ref={ref} className={styles['list']} aria-label={label} tabIndex={-1}>
      {children}
    </ul>
  )
}

/** Title of a row, a note below, and its controls: beside it where there is room, or always below. */
export function Row({
  title,
  badge,
  isAlarming = false,
  note,
  controls,
  areControlsBelow = false,
}: {
  title: string
  badge?: ReactNode
  /** Of the badge. */
  isAlarming?: boolean
  note: ReactNode
  controls?: ReactNode
  areControlsBelow?: boolean
}) {
  return (
    <li data-stacked={areControlsBelow || undefined}>
      <div className={styles['text']}>
        <b dir="auto">{title}</b>
        {badge && (
          <span className={styles['badge']} data-alarming={isAlarming || undefined}>
            {badge}
          </span>
        )}
        <p className={styles['note']}>{note}</p>
      </div>
      {controls && <div className={styles['controls']}>{controls}</div>}
    </li>
  )
}
