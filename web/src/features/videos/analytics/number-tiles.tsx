import { useId } from 'react'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import styles from './number-tiles.module.css'

interface Tile {
  label: string
  /** Undefined while it loads. */
  value?: string
}

/** A row of numbers with their labels. */
export function NumberTiles({ numbers }: { numbers: readonly Tile[] }) {
  return (
    <div className={styles['tiles']}>
      {numbers.map((number) => (
        <NumberTile key={number.label} {...number} />
      ))}
    </div>
  )
}

function NumberTile({ label, value }: Tile) {
  const id = useId()
  return (
    <div className={styles['tile']} role="group" aria-labelledby={id}>
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
