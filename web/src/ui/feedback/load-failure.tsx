import { t } from '@lingui/core/macro'
import { useOnline } from '../../lib/browser/use-online.ts'
import { Button } from '../button.tsx'
import styles from './load-failure.module.css'

/** Shown in place of content that failed to load, with a button to retry. Failed queries are repeated back online. */
export function LoadFailure({ title, onRetry }: { title: string; onRetry: () => void }) {
  const isOnline = useOnline()
  return (
    <div className={styles['failure']} role="alert">
      <p>
        {title}
        {!isOnline && t`. You are offline: it loads when the connection is back.`}
      </p>
      <Button onClick={onRetry}>{t`Try again`}</Button>
    </div>
  )
}
