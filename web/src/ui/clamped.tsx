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
  const [end, setEnd] = useState({ line: lines, isBeforeBlank: false })
  const text = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = text.current
    if (!element || isOpen) return
    const measure = new ResizeObserver(() => {
      const isLonger = element.scrollHeight > element.clientHeight + 1
      setCut(isLonger)
      if (isLonger) setEnd(endWithin(element, lines))
    })
    measure.observe(element)
    return () => measure.disconnect()
  }, [isOpen, lines])

  return (
    <>
      <div
        ref={text}
        className={classNames(!isOpen && styles[end.isBeforeBlank ? 'whole' : 'short'], className)}
        style={{ '--lines': end.line }}
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

/**
 * The last of so many lines that is not blank: in a blank one the mark of what is left out would stand alone. After a line
 * that ends its paragraph, with a blank one below, there is to be no mark: it would cut a word or double a full stop.
 */
function endWithin(element: HTMLElement, lines: number): { line: number; isBeforeBlank: boolean } {
  const range = document.createRange()
  range.selectNodeContents(element)
  const { top } = element.getBoundingClientRect()
  const lineHeight = parseFloat(getComputedStyle(element).lineHeight)
  const written = [...range.getClientRects()]
    .filter(({ width }) => width > 0)
    .map(({ top: above, bottom }) => Math.ceil(((above + bottom) / 2 - top) / lineHeight))
  const line = Math.max(1, ...written.filter((one) => one <= lines))
  return { line, isBeforeBlank: !written.includes(line + 1) }
}
