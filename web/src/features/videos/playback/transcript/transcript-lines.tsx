import { t } from '@lingui/core/macro'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { formatClock } from '../state/player-time.ts'
import { secondsOf, type TranscriptLine } from './api.ts'
import styles from './transcript-lines.module.css'

/** A line and its index in the whole transcript. */
export type IndexedLine = TranscriptLine & { index: number }

const scrollKeys = ['Tab', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']

/** The lines of a transcript, or those that contain `wanted`. Scrolls with playback until the reader scrolls elsewhere. */
export function TranscriptLines({
  shown,
  current,
  wanted,
  onSeek,
}: {
  shown: readonly IndexedLine[]
  /** Index of the line that is playing, or -1. */
  current: number
  wanted: string
  onSeek: (seconds: number) => void
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const [isAway, setAway] = useState(false)
  const [focused, setFocused] = useState<number>()
  // Rows far from the visible ones are left out: a transcript has thousands. The focused one stays, and keeps the focus.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 44,
    getItemKey: useCallback((row: number) => shown[row]?.index ?? row, [shown]),
    rangeExtractor: useCallback((range: Range) => rowsOf(range, focused), [focused]),
    overscan: 10,
    paddingStart: 8,
    paddingEnd: 8,
  })
  const isFollowing = wanted === '' && !isAway
  const playing = shown.findIndex(({ index }) => index === current)
  useEffect(() => {
    if (isFollowing && playing !== -1) rows.scrollToIndex(playing, { align: 'center' })
  }, [isFollowing, playing, rows])
  useEffect(() => {
    if (wanted) rows.scrollToOffset(0)
  }, [wanted, rows])
  if (shown.length === 0) return <p className={styles['none']}>{wanted ? t`Nothing found` : t`No words`}</p>
  return (
    <div className={styles['body']}>
      {/* Notices scrolling and focus; the buttons inside are the controls. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={scroller}
        className={styles['scroller']}
        onWheel={() => setAway(true)}
        onTouchMove={() => setAway(true)}
        // The scrollbar belongs to the element itself.
        onPointerDown={({ target, currentTarget }) => target === currentTarget && setAway(true)}
        onKeyDown={({ key }: KeyboardEvent) => scrollKeys.includes(key) && setAway(true)}
        onFocus={({ target }) => setFocused(Number(target.closest('li')?.dataset['index']))}
        onBlur={() => setFocused(undefined)}
      >
        <ol className={styles['lines']} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => {
            const line = shown[row.index]
            return (
              line && (
                <li
                  key={row.key}
                  ref={rows.measureElement}
                  data-index={row.index}
                  style={{ transform: `translateY(${row.start}px)` }}
                  aria-posinset={row.index + 1}
                  aria-setsize={shown.length}
                >
                  <button
                    type="button"
                    aria-current={line.index === current ? 'true' : undefined}
                    onClick={() => {
                      setAway(false)
                      onSeek(secondsOf(line, wanted))
                    }}
                  >
                    <span className={styles['time']}>{formatClock(line.startSeconds)}</span>{' '}
                    <span dir="auto">
                      <Marked text={line.text} wanted={wanted} />
                    </span>
                  </button>
                </li>
              )
            )
          })}
        </ol>
      </div>
      {isAway && wanted === '' && (
        <Button
          variant="solid"
          className={styles['follow']}
          onClick={() => setAway(false)}
        >{t`Follow the video`}</Button>
      )}
    </div>
  )
}

function rowsOf(range: Range, focused: number | undefined): number[] {
  const rows = defaultRangeExtractor(range)
  if (focused === undefined || !(focused < range.count) || rows.includes(focused)) return rows
  return [...rows, focused].toSorted((a, b) => a - b)
}

function Marked({ text, wanted }: { text: string; wanted: string }) {
  const at = wanted ? text.toLowerCase().indexOf(wanted.toLowerCase()) : -1
  if (at === -1) return text
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + wanted.length)}</mark>
      {text.slice(at + wanted.length)}
    </>
  )
}
