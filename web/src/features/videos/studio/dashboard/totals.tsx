import { t } from '@lingui/core/macro'
import { type ReactNode, useId } from 'react'
import { formatFullCount } from '../../../../lib/format/counts.ts'
import { Skeleton } from '../../../../ui/feedback/skeleton.tsx'
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
  return (
    <div className={styles['totals']}>
      <div className={styles['numbers']} aria-busy={isPending}>
        <Total label={t`Total views`} value={views} isPending={isPending} />
        <Total label={t`Total subscribers`} value={subscribers} isPending={isPending} />
        <Total label={t`Total likes`} value={likes} isPending={isPending} />
      </div>
      {children}
    </div>
  )
}

function Total({
  label,
  value,
  isPending,
}: {
  label: string
  value: number | undefined
  isPending: boolean
}) {
  const id = useId()
  return (
    <div className={styles['total']} role="group" aria-labelledby={id}>
      <p className={styles['label']} id={id}>
        {label}
      </p>
      {isPending ? (
        <Skeleton className={styles['bar']} width={140} />
      ) : (
        <p className={styles['number']}>{formatFullCount(value)}</p>
      )}
    </div>
  )
}
