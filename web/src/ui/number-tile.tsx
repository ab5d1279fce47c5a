import { useId } from 'react'
import { Skeleton } from './feedback/skeleton.tsx'
import styles from './number-tile.module.css'

/** A number below its label, in the size `--number-size`. */
export function NumberTile({
  label,
  value,
  className,
}: {
  label: string
  /** Undefined while it loads. */
  value?: string | undefined
  className?: string | undefined
}) {
  const id = useId()
  return (
    <div className={className} role="group" aria-labelledby={id}>
      <p className={styles['label']} id={id}>
        {label}
      </p>
      {value === undefined ? (
        <Skeleton className={styles['bar']} width={120} />
      ) : (
        <p className={styles['number']}>{value}</p>
      )}
    </div>
  )
}
