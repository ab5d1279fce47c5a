import { clsx } from 'clsx'
import { useRef } from 'react'
import styles from './timeline.module.css'

/** An edge of a range, which a pointer can drag. */
export function Edge({
  side,
  isSelection,
  pixels,
  onDrag,
  onDrop,
}: {
  side: 'start' | 'end'
  isSelection: boolean
  pixels: number
  onDrag: (clientX: number) => void
  onDrop: () => void
}) {
  /** Pixels between the pointer and the edge. */
  const grip = useRef<number>(undefined)
  const end = () => {
    if (grip.current === undefined) return
    grip.current = undefined
    onDrop()
  }
  return (
    <span
      role="presentation"
      className={clsx(styles['edge'], styles[side], isSelection && styles['of-selection'])}
      style={{ insetInlineStart: pixels }}
      data-edge={side}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.stopPropagation()
        const { left, right, width } = event.currentTarget.getBoundingClientRect()
        // a quarter of the handle is inside of the range
        grip.current = event.clientX - (side === 'start' ? right - width / 4 : left + width / 4)
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (grip.current === undefined) return
        event.stopPropagation()
        onDrag(event.clientX - grip.current)
      }}
      onPointerUp={(event) => {
        event.stopPropagation()
        end()
      }}
      onPointerCancel={end}
    />
  )
}
