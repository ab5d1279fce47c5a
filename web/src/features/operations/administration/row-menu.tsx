import { type ReactNode, useRef } from 'react'
import { MoreActions } from '../../../ui/more-actions.tsx'
import styles from './table.module.css'

/** Further actions of a row. `describedBy`: id of the element that names what they are about. */
export function RowMenu({ describedBy, children }: { describedBy: string; children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <MoreActions ref={button} describedBy={describedBy} className={styles['menu']}>
      {children}
    </MoreActions>
  )
}
