import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import styles from './ended-stream.module.css'

/** In place of a player that has nothing to play: by default of a stream that has ended without a recording, or was deleted. */
export function EndedStream({
  className,
  title = t`The stream has ended.`,
  text = t`It cannot be watched any more.`,
}: {
  className?: string | undefined
  title?: string
  text?: string
}) {
  return (
    <section className={clsx(styles['ended'], className)} role="alert">
      <h2>{title}</h2>
      <p>{text}</p>
    </section>
  )
}
