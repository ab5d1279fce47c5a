import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import styles from './expandable-text.module.css'

/** Further lines that are shown in full: a button for fewer would take nearly as much room. */
const SPARE_LINES = 4

/** A long text cut after some lines, with a button for the rest; a short one as it is. */
export function ExpandableText({
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

  // Before it is drawn, so that nothing below moves.
  useLayoutEffect(() => {
    const element = text.current
    if (!element || isOpen) return
    const measure = () => {
      const lineHeight = parseFloat(getComputedStyle(element).lineHeight)
      // The height of the whole text, also while it is cut.
      const isLong = element.scrollHeight > (lines + SPARE_LINES + 0.5) * lineHeight
      setCut(isLong)
      if (isLong) setEnd(lastVisibleLine(element, lines))
    }
    measure()
    const onResize = new ResizeObserver(measure)
    onResize.observe(element)
    return () => onResize.disconnect()
  }, [isOpen, lines])

  return (
    <>
      <div
        ref={text}
        className={classNames(isCut && !isOpen && styles[end.isBeforeBlank ? 'whole' : 'short'], className)}
        style={{ '--lines': end.line }}
      >
        {children}
      </div>
      {isCut && (
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
function lastVisibleLine(element: HTMLElement, lines: number): { line: number; isBeforeBlank: boolean } {
  const range = document.createRange()
  range.selectNodeContents(element)
  const { top } = element.getBoundingClientRect()
  const lineHeight = parseFloat(getComputedStyle(element).lineHeight)
  const lineNumbers = [...range.getClientRects()]
    .filter(({ width }) => width > 0)
    .map(({ top: above, bottom }) => Math.ceil(((above + bottom) / 2 - top) / lineHeight))
  const line = Math.max(1, ...lineNumbers.filter((one) => one <= lines))
  return { line, isBeforeBlank: !lineNumbers.includes(line + 1) }
}
