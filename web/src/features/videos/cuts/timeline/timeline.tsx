import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { indexAt, snapToFrame, type TimeRange } from '../ranges.ts'
import { formatFrameTime } from '../../../../lib/format/frame-time.ts'
import type { FrameRate } from '../cut-player.ts'
import type { EditControl } from '../use-edit.ts'
import { Edge } from './edge.tsx'
import { RulerTicks, type ShownWaveform, StoryboardStrip, WaveformStrip } from './strips.tsx'
import styles from './timeline.module.css'
import { ZOOM_STEP } from './timeline-scale.ts'
import { EDGE_PIXELS, useTimelineView } from './use-timeline-view.ts'

/** Pixels that a pointer moves before it selects instead of seeking. */
const DRAG_PIXELS = 5

/** The range that is being dragged, and where it would be. */
type Drag = { what: 'selection' | number; range: TimeRange }

/**
 * Pictures and sound of a video on a line, with what is removed and selected. A click seeks, dragging with a mouse selects, a
 * finger scrolls; edges can be dragged by both. Everything here can be done by the tools and the list, too.
 */
export function Timeline({
  control: { edit, selection, select, moveRemoved },
  rate,
  position,
  seekTo,
  step,
  storyboardUrl,
  waveform,
  children,
}: {
  control: EditControl
  rate: FrameRate
  position: number
  seekTo: (seconds: number) => void
  step: (frames: number) => void
  storyboardUrl: string | null
  waveform: ShownWaveform | undefined
  /** Beside the buttons that zoom. */
  children: ReactNode
}) {
  const { durationSeconds, framesPerSecond } = rate
  const line = useRef<HTMLDivElement>(null)
  const view = useTimelineView(durationSeconds)
  const { scroller, scale, drawn } = view
  const [drag, setDrag] = useState<Drag>()
  /** The same, for events that arrive before the next rendering. */
  const latest = useRef<Drag>(undefined)
  const pressed = useRef<{ clientX: number; seconds: number; hasMoved: boolean }>(undefined)

  const reveal = useEffectEvent((seconds: number) => view.reveal(seconds))
  useEffect(() => {
    reveal(position)
  }, [position])

  const snap = (seconds: number) => snapToFrame(Math.max(0, seconds), rate)
  const secondsAt = (clientX: number) =>
    snap((clientX - (line.current?.getBoundingClientRect().left ?? 0)) / scale)
  const place = ({ startSeconds, endSeconds }: TimeRange) => ({
    insetInlineStart: startSeconds * scale,
    width: Math.max(2, (endSeconds - startSeconds) * scale),
  })

  function showDrag(next: Drag | undefined) {
    latest.current = next
    setDrag(next)
  }
  /** Takes over what was dragged. */
  function drop() {
    const dropped = latest.current
    if (dropped?.what === 'selection') select(dropped.range)
    else if (dropped) moveRemoved(dropped.what, dropped.range)
    showDrag(undefined)
  }
  function press(event: PointerEvent) {
    if (event.button !== 0) return
    pressed.current = { clientX: event.clientX, seconds: secondsAt(event.clientX), hasMoved: false }
    // a finger scrolls instead
    if (event.pointerType !== 'touch') event.currentTarget.setPointerCapture(event.pointerId)
  }
  function move(event: PointerEvent) {
    const from = pressed.current
    if (!from || event.pointerType === 'touch') return
    if (Math.abs(event.clientX - from.clientX) > DRAG_PIXELS) from.hasMoved = true
    if (!from.hasMoved) return
    const to = secondsAt(event.clientX)
    const range = { startSeconds: Math.min(from.seconds, to), endSeconds: Math.max(from.seconds, to) }
    showDrag({ what: 'selection', range })
    seekTo(to)
  }
  function release(event: PointerEvent) {
    if (pressed.current && !pressed.current.hasMoved) seekTo(secondsAt(event.clientX))
    pressed.current = undefined
    drop()
  }
  function cancel() {
    pressed.current = undefined
    showDrag(undefined)
  }

  /** Edges of a range that can be dragged. */
  const edgesOf = (what: Drag['what'], range: TimeRange) =>
    (['start', 'end'] as const).map((side) => (
      <Edge
        key={side}
        side={side}
        isSelection={what === 'selection'}
        pixels={(side === 'start' ? range.startSeconds : range.endSeconds) * scale}
        onDrag={(clientX) => {
          const seconds = secondsAt(clientX)
          const dragged = side === 'start' ? { startSeconds: seconds } : { endSeconds: seconds }
          const next = { ...range, ...dragged }
          if (next.endSeconds - next.startSeconds < 0.5 / framesPerSecond) return
          showDrag({ what, range: next })
          seekTo(seconds)
        }}
        onDrop={drop}
      />
    ))

  const removed = edit.removed.map((range, index) => (drag?.what === index ? drag.range : range))
  const selected = drag?.what === 'selection' ? drag.range : selection
  const isEdgeDragged = typeof drag?.what === 'number'
  const current = isEdgeDragged ? drag.what : indexAt(edit.removed, position)
  const chosen = typeof current === 'number' ? removed[current] : undefined

  return (
    <div>
      <div ref={scroller} className={styles['scroller']} dir="ltr" onScroll={view.onScroll}>
        <div
          ref={line}
          className={styles['line']}
          style={{ width: durationSeconds * scale, marginInline: EDGE_PIXELS }}
        >
          <Ruler position={position} rate={rate} secondsAt={secondsAt} seekTo={seekTo} step={step}>
            <RulerTicks drawn={drawn} scale={scale} durationSeconds={durationSeconds} />
          </Ruler>
          {/* For pointers only: the keyboard has the ruler, the tools and the list. */}
          <div
            className={styles['tracks']}
            aria-hidden="true"
            onPointerDown={press}
            onPointerMove={move}
            onPointerUp={release}
            onPointerCancel={cancel}
          >
            <div className={styles['stills']}>
              <StoryboardStrip url={storyboardUrl} drawn={drawn} scale={scale} />
            </div>
            <div className={styles['sound']}>
              <WaveformStrip waveform={waveform} drawn={drawn} scale={scale} />
            </div>
            {removed.map((range, index) => (
              <span
                key={index}
                className={clsx(styles['removed'], range === chosen && styles['chosen'])}
                style={place(range)}
              >
                {(range.endSeconds - range.startSeconds) * scale > 84 && t`Removed`}
              </span>
            ))}
            {selected && <span className={styles['selected']} style={place(selected)} />}
            {selected && edgesOf('selection', selected)}
            {chosen && typeof current === 'number' && !selected && edgesOf(current, chosen)}
          </div>
          <span
            className={styles['playhead']}
            style={{ insetInlineStart: position * scale }}
            aria-hidden="true"
          />
        </div>
      </div>
      <div className={styles['below']}>
        <div className={styles['about']}>{children}</div>
        <IconButton
          label={t`Zoom out`}
          disabled={view.isWhole}
          onClick={() => view.zoomTo(scale / ZOOM_STEP, position)}
        >
          <Icon of={ZoomOut} />
        </IconButton>
        <IconButton
          label={t`Zoom in`}
          disabled={view.isLargest}
          onClick={() => view.zoomTo(scale * ZOOM_STEP, position)}
        >
          <Icon of={ZoomIn} />
        </IconButton>
        <Button variant="bare" disabled={view.isWhole} onClick={view.showWhole}>
          <Icon of={Maximize2} size={18} />
          {t`Whole video`}
        </Button>
      </div>
    </div>
  )
}

/** The position as a slider over the ruler; its knob follows every pointer. */
function Ruler({
  position,
  rate: { durationSeconds, framesPerSecond },
  secondsAt,
  seekTo,
  step,
  children,
}: {
  position: number
  rate: FrameRate
  secondsAt: (clientX: number) => number
  seekTo: (seconds: number) => void
  step: (frames: number) => void
  children: ReactNode
}) {
  const isDragged = useRef(false)
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const frames = event.shiftKey ? Math.round(framesPerSecond) : 1
    const far = Math.max(10, durationSeconds / 20)
    if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') step(-frames)
    else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') step(frames)
    else if (event.key === 'PageDown') seekTo(position - far)
    else if (event.key === 'PageUp') seekTo(position + far)
    else if (event.key === 'Home') seekTo(0)
    else if (event.key === 'End') seekTo(durationSeconds)
    else return
    event.preventDefault()
  }
  return (
    <div
      className={styles['ruler']}
      role="slider"
      tabIndex={0}
      aria-label={t`Position`}
      aria-valuemin={0}
      aria-valuemax={durationSeconds}
      aria-valuenow={position}
      aria-valuetext={formatFrameTime(position)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        isDragged.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
        seekTo(secondsAt(event.clientX))
      }}
      onPointerMove={(event) => {
        if (isDragged.current) seekTo(secondsAt(event.clientX))
      }}
      onPointerUp={() => (isDragged.current = false)}
      onPointerCancel={() => (isDragged.current = false)}
    >
      {children}
    </div>
  )
}
