import { NumberTile } from '../../../ui/number-tile.tsx'
import styles from './number-tiles.module.css'

/** A row of numbers with their labels. A value is undefined while it loads. */
export function NumberTiles({ numbers }: { numbers: readonly { label: string; value?: string }[] }) {
  return (
    <div className={styles['tiles']}>
      {numbers.map((number) => (
        <NumberTile key={number.label} className={styles['tile']} {...number} />
      ))}
    </div>
  )
}
