import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import styles from './expandable-text.module.css'

/** Texts longer by up to this many lines are shown in full: a button would take nearly as much room. */
const SPARE_LINES = 4

/** Clamps a long text to some lines, with a button that expands it. */
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

  // A layout effect, so that the text below does not shift.
  useLayoutEffect(() => {
    const element = text.current
    if (!element || isOpen) return
    const measure = () => {
      const lineHeight = parseFloat(getComputedStyle(element).lineHeight)
      // `scrollHeight` is the full height, also while clamped.
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
        className={clsx(isCut && !isOpen && styles[end.isBeforeBlank ? 'whole' : 'short'], className)}
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
          {isOpen ? t`Show less` : t`Show more`}
        </button>
      )}
    </>
  )
}

/**
 * The last line to show that is not blank, so that the ellipsis does not stand alone. A line that ends a paragraph gets no
 * ellipsis, which would cut a word or double a full stop.
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
