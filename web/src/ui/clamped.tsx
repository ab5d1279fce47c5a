import { type ReactNode, useEffect, useRef, useState } from 'react'
import { classNames } from '../lib/class-names.ts'
import styles from './clamped.module.css'

/** A long text cut after some lines, with a button for the rest; a short one as it is. */
export function Clamped({
  lines,
  className,
  children,
}: {
  lines: number
  className?: string | undefined
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const [isCut, setCut] = useState(false)
  const text = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = text.current
    if (!element || isOpen) return
    const measure = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight + 1))
    measure.observe(element)
    return () => measure.disconnect()
  }, [isOpen])

  return (
    <>
      <div
        ref={text}
        className={classNames(!isOpen && styles['short'], className)}
        style={{ '--lines': lines }}
      >
        {children}
      </div>
      {(isCut || isOpen) && (
        <button
          type="button"
          className={styles['more']}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show more'}
        </button>
      )}
    </>
  )
}
