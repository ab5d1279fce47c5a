import { Button } from '../button.tsx'
import styles from './load-failure.module.css'

/** Shown in place of content that failed to load, with a button to retry. */
export function LoadFailure({ title, onRetry }: { title: string; onRetry: () => void }) {
  return (
    <div className={styles['failure']} role="alert">
      <p>{title}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}
