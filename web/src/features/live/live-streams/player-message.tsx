import { clsx } from 'clsx'
import styles from './player-message.module.css'

/** In place of a player that has nothing to play: the reason. */
export function PlayerMessage({
  className,
  title,
  text,
}: {
  className?: string | undefined
  title: string
  text: string
}) {
  return (
    <section className={clsx(styles['message'], className)} role="alert">
      <h2>{title}</h2>
      <p>{text}</p>
    </section>
  )
}
