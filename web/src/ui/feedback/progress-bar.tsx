import { clsx } from 'clsx'
import styles from './progress-bar.module.css'

/** Progress bar, drawn as a row of leaves. `value` runs from 0 to 1. */
export function ProgressBar({
  label,
  value,
  leaves = 48,
  height = 16,
}: {
  label: string
  value: number
  leaves?: number
  height?: number
}) {
  const share = Math.min(1, Math.max(0, value))
  return (
    <div
      className={styles['meter']}
      style={{ height }}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(share * 100)}
    >
      {Array.from({ length: leaves }, (_, index) => (
        // Leaves are identical and never reordered, so the index is a stable key.
        <i key={index} className={clsx(index < share * leaves && styles['on'])} />
      ))}
    </div>
  )
}
