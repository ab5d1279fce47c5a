import { Button } from '../button.tsx'
import styles from './load-failure.module.css'

/** Something could not be fetched: said where it would stand, with another try. */
export function LoadFailure({ title, onRetry }: { title: string; onRetry: () => void }) {
  return (
    <div className={styles['failure']} role="alert">
      <p>{title}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}
