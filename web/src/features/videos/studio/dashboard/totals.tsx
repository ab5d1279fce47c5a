import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { formatFullCount } from '../../../../lib/format/counts.ts'
import { NumberTile } from '../../../../ui/number-tile.tsx'
import styles from './totals.module.css'

/** The three totals of a channel, 0 by default, and its chart. */
export function Totals({
  views,
  subscribers,
  likes,
  isPending = false,
  children,
}: {
  views?: number | undefined
  subscribers?: number | undefined
  likes?: number | undefined
  isPending?: boolean
  children?: ReactNode
}) {
  const total = (label: string, value: number | undefined) => (
    <NumberTile
      className={styles['total']}
      label={label}
      value={isPending ? undefined : formatFullCount(value)}
    />
  )
  return (
    <div className={styles['totals']}>
      <div className={styles['numbers']} aria-busy={isPending}>
        {total(t`Total views`, views)}
        {total(t`Total subscribers`, subscribers)}
        {total(t`Total likes`, likes)}
      </div>
      {children}
    </div>
  )
}
