import { clsx } from 'clsx'
import { type ReactNode, type Ref, useId } from 'react'
import styles from './part.module.css'

/** A part of a page: its heading, a note about it, and what belongs to it. */
export function Part({
  title,
  note,
  level: Heading = 'h2',
  isDivided = false,
  id: given,
  headingRef,
  className,
  children,
}: {
  title: ReactNode
  note?: ReactNode
  level?: 'h2' | 'h3'
  /** Whether a line parts it from the one above. */
  isDivided?: boolean
  /** Of the heading, for others that are named by it. */
  id?: string
  /** The heading, to move the focus to. */
  headingRef?: Ref<HTMLHeadingElement>
  className?: string | undefined
  children: ReactNode
}) {
  const own = useId()
  const id = given ?? own
  return (
    <section className={clsx(styles['part'], isDivided && styles['divided'], className)} aria-labelledby={id}>
      <Heading id={id} ref={headingRef} tabIndex={headingRef ? -1 : undefined}>
        {title}
      </Heading>
      {note && <p className={styles['note']}>{note}</p>}
      {children}
    </section>
  )
}
