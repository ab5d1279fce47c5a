import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import styles from './ended-stream.module.css'

/** In place of the player of a stream that has ended without a recording, or was deleted. */
export function EndedStream({ className }: { className?: string | undefined }) {
  return (
    <section className={clsx(styles['ended'], className)} role="alert">
      <h2>{t`The stream has ended.`}</h2>
      <p>{t`It cannot be watched any more.`}</p>
    </section>
  )
}
