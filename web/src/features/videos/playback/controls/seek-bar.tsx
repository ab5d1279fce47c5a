import { t } from '@lingui/core/macro'
import type { Chapter } from '@kinora/contract/videos/videos.ts'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useState } from 'react'
import { frameAt, frameStyle, type StoryboardFrame, storyboardQuery } from '../../../../lib/storyboard.ts'
import { chapterMask, chapterTitleAt } from '../chapters/chapter-marks.ts'
import { spriteSheetQuery } from './sprite-sheet.ts'
import type { BufferedRange } from '../state/playback-state.ts'
import { formatClock, spellSeconds } from '../state/player-time.ts'
import styles from './seek-bar.module.css'

const PREVIEW_WIDTH = 180
/** Preview width on seek bars of at least `fromBarWidth` pixels. */
const LARGE = { fromBarWidth: 900, width: 320 }

/** Slider for the playback position, with a storyboard preview under the pointer. */
export function SeekBar({
  currentSeconds,
  durationSeconds,
  buffered,
  storyboardUrl,
  chapters,
  isIdle,
  onSeek,
  onSeekBy,
}: {
  currentSeconds: number
  durationSeconds: number
  buffered: readonly BufferedRange[]
  storyboardUrl: string | null
  chapters: readonly Chapter[]
  /** The controls are hidden or the video has ended: a resting pointer shows no preview. */
  isIdle: boolean
  onSeek: (seconds: number) => void
  onSeekBy: (seconds: number) => void
}) {
  const [pointed, setPointed] = useState<number>()
  const [dragged, setDragged] = useState<number>()
  const [barWidth, setBarWidth] = useState(0)
  const [wasIdle, setIdle] = useState(isIdle)
  if (isIdle !== wasIdle) {
    setIdle(isIdle)
    if (isIdle) setPointed(undefined)
  }
  const storyboard = useQuery({
    ...storyboardQuery(storyboardUrl ?? ''),
    enabled: storyboardUrl !== null && pointed !== undefined,
  })
  const shown = dragged ?? currentSeconds
  const preview = dragged ?? pointed
  const shownChapter = chapterTitleAt(chapters, shown)
  const frame = preview === undefined ? undefined : frameAt(storyboard.data ?? [], preview)
  // Shows only the time until the sprite sheet is decoded.
  const sheet = useQuery({ ...spriteSheetQuery(frame?.sheetUrl ?? ''), enabled: frame !== undefined })
  const share = (seconds: number) =>
    durationSeconds > 0 ? Math.min(1, Math.max(0, seconds / durationSeconds)) : 0

  function secondsAt(event: PointerEvent<HTMLElement>): number {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setBarWidth(width)
    return Math.min(1, Math.max(0, (event.clientX - left) / width)) * durationSeconds
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = stepOfKey(event.key, durationSeconds)
    const place = { Home: 0, End: durationSeconds }[event.key]
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (step !== undefined) onSeekBy(step)
    else if (place !== undefined) onSeek(place)
    else return
    event.preventDefault()
  }

  return (
    <div
      className={styles['bar']}
      role="slider"
      tabIndex={0}
      aria-label={t`Seek`}
      aria-valuemin={0}
      aria-valuemax={Math.floor(durationSeconds)}
      aria-valuenow={Math.floor(shown)}
      aria-valuetext={[
        t`${spellSeconds(shown)} of ${spellSeconds(durationSeconds)}`,
        ...(shownChapter ? [shownChapter] : []),
      ].join(', ')}
      data-dragged={dragged !== undefined || undefined}
      onKeyDown={onKeyDown}
      onMouseDown={focusPlayer}
      onPointerDown={(event) => {
        if (event.button !== 0 || durationSeconds === 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragged(secondsAt(event))
      }}
      onPointerMove={(event) => {
        const seconds = secondsAt(event)
        setPointed(seconds)
        if (dragged !== undefined) setDragged(seconds)
      }}
      onPointerUp={(event) => {
        if (dragged === undefined) return
        setDragged(undefined)
        onSeek(secondsAt(event))
        if (event.pointerType !== 'mouse') setPointed(undefined)
      }}
      onPointerCancel={() => {
        setDragged(undefined)
        setPointed(undefined)
      }}
      onPointerLeave={() => setPointed(undefined)}
    >
      <span className={styles['track']} style={{ maskImage: chapterMask(chapters, durationSeconds) }}>
        {buffered.map(({ startSeconds, endSeconds }) => (
          <i
            key={startSeconds}
            className={styles['buffered']}
            style={{
              left: `${share(startSeconds) * 100}%`,
              width: `${(share(endSeconds) - share(startSeconds)) * 100}%`,
            }}
          />
        ))}
        <i className={styles['played']} style={{ transform: `scaleX(${share(shown)})` }} />
      </span>
      <b className={styles['knob']} style={{ transform: `translateX(${share(shown) * 100}%)` }} />
      {preview !== undefined && durationSeconds > 0 && (
        <Preview
          seconds={preview}
          share={share(preview)}
          frame={sheet.data ? frame : undefined}
          chapter={chapterTitleAt(chapters, preview)}
          isLarge={barWidth >= LARGE.fromBarWidth}
        />
      )}
    </div>
  )
}

function Preview({
  seconds,
  share,
  frame,
  chapter,
  isLarge,
}: {
  seconds: number
  share: number
  frame: StoryboardFrame | undefined
  chapter: string | undefined
  isLarge: boolean
}) {
  // Portrait frames are tall enough at the default width.
  const frameWidth = isLarge && frame && frame.width > frame.height ? LARGE.width : PREVIEW_WIDTH
  const scale = frame ? frameWidth / frame.width : 1
  const width = frame || chapter ? frameWidth : 56
  return (
    <span
      className={styles['preview']}
      // Clamped, so that the preview stays inside the bar at both ends.
      style={{ left: `clamp(0px, calc(${share * 100}% - ${width / 2}px), calc(100% - ${width}px))`, width }}
      aria-hidden="true"
    >
      {frame && (
        <span className={styles['frame']} style={{ height: frame.height * scale }}>
          <span style={frameStyle(frame, scale)} />
        </span>
      )}
      <em>{formatClock(seconds)}</em>
      {chapter && <bdi className={styles['chapter']}>{chapter}</bdi>}
    </span>
  )
}

/**
 * Moves the focus to the player instead of the seek bar after a click, so that the vertical arrow keys change the volume
 * and no focus ring appears. Keyboard users reach the bar with Tab and keep all slider keys.
 */
function focusPlayer(event: MouseEvent<HTMLElement>) {
  event.preventDefault()
  event.currentTarget.closest('section')?.focus({ preventScroll: true })
}

/** Seconds to seek by. Relative, because a held key can be ahead of the displayed position. */
function stepOfKey(key: string, duration: number): number | undefined {
  const leap = Math.max(10, duration / 10)
  const steps: Record<string, number> = {
    ArrowLeft: -5,
    ArrowDown: -5,
    ArrowRight: 5,
    ArrowUp: 5,
    PageDown: -leap,
    PageUp: leap,
  }
  return steps[key]
}
