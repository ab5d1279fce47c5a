import { type PointerEvent, type ReactNode, useEffect, useRef } from 'react'
import { hintOfSeek } from '../keyboard/player-hints.ts'
import { swipeOf, tapOf } from './touch-gestures.ts'
import { useHold } from './use-hold.ts'
import type { Player } from '../state/player.ts'
import styles from './touch-surface.module.css'

const DOUBLE_TAP_MS = 300

/**
 * Pointer gestures on the video.
 *
 * Mouse: a click plays or pauses, a double click toggles full screen. Touch: a tap shows the controls, a double tap at the
 * side seeks, a horizontal swipe seeks by its length, a swipe down leaves full screen. Both: a hold plays at double speed.
 * The controls offer the same commands to keyboards.
 *
 * The surface wraps the video instead of covering it, so that hit testing finds the video element.
 */
export function TouchSurface({
  player,
  durationSeconds,
  isFullScreen,
  areControlsHidden,
  onShowControls,
  onHideControls,
  onHint,
  children,
}: {
  player: Player
  durationSeconds: number
  isFullScreen: boolean
  areControlsHidden: boolean
  onShowControls: () => void
  onHideControls: () => void
  onHint: (text: string) => void
  children: ReactNode
}) {
  const start = useRef<{ x: number; y: number; wasHidden: boolean }>(undefined)
  const lastHint = useRef('')
  const lastTap = useRef<{ at: number; side: ReturnType<typeof tapOf> }>({ at: 0, side: 'middle' })
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(pending.current), [])
  const hold = useHold(player, onHint)
  /** The press has ended as a hold; the click that follows is a part of it. */
  const wasHeld = useRef(false)

  function onMouseClick(clicks: number) {
    // Waits for a possible second click: a double click must not pause the video.
    clearTimeout(pending.current)
    if (clicks % 2 === 0) player.toggleFullScreen()
    else pending.current = setTimeout(player.togglePlay, clicks === 1 ? 200 : 0)
  }

  function onTap(event: PointerEvent<HTMLElement>, wasHidden: boolean) {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const side = tapOf((event.clientX - left) / width)
    const isDouble = event.timeStamp - lastTap.current.at < DOUBLE_TAP_MS && lastTap.current.side === side
    lastTap.current = { at: event.timeStamp, side }
    if (isDouble && side !== 'middle') {
      clearTimeout(pending.current)
      const seconds = side === 'left' ? -10 : 10
      player.seekBy(seconds)
      onHint(hintOfSeek(seconds))
    } else if (wasHidden) {
      onShowControls()
    } else {
      pending.current = setTimeout(onHideControls, DOUBLE_TAP_MS)
    }
  }

  /** Shows how far the swipe would seek if it ended now. */
  function onTouchMove(event: PointerEvent<HTMLElement>) {
    const swipe = swipeUntil(event)
    if (swipe?.type !== 'seek' || hold.isHeld()) return
    hold.end()
    const text = hintOfSeek(swipe.seconds)
    if (text !== lastHint.current) onHint(text)
    lastHint.current = text
  }

  function swipeUntil({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) {
    const from = start.current
    const { width } = currentTarget.getBoundingClientRect()
    return from && swipeOf(clientX - from.x, clientY - from.y, width, durationSeconds)
  }

  function onTouchEnd(event: PointerEvent<HTMLElement>) {
    const swipe = swipeUntil(event)
    const { wasHidden = false } = start.current ?? {}
    start.current = undefined
    lastHint.current = ''
    if (!swipe || wasHeld.current) return
    if (swipe.type === 'tap') return onTap(event, wasHidden)
    if (swipe.type === 'seek') {
      player.seekBy(swipe.seconds)
      onHint(hintOfSeek(swipe.seconds))
    } else if (isFullScreen) player.toggleFullScreen()
  }

  return (
    <div
      className={styles['surface']}
      data-full-screen={isFullScreen || undefined}
      onPointerDown={(event) => {
        if (!event.isPrimary || event.button !== 0) return
        wasHeld.current = false
        hold.begin()
        if (event.pointerType === 'mouse') return
        start.current = { x: event.clientX, y: event.clientY, wasHidden: areControlsHidden }
      }}
      onPointerMove={onTouchMove}
      onPointerUp={(event) => {
        if (!event.isPrimary) return
        wasHeld.current = hold.end() || wasHeld.current
        if (event.pointerType !== 'mouse') onTouchEnd(event)
      }}
      onPointerLeave={(event) => {
        if (event.pointerType === 'mouse' && hold.end()) wasHeld.current = true
      }}
      onPointerCancel={() => {
        hold.end()
        start.current = undefined
      }}
      onContextMenu={(event) => {
        // A long touch would otherwise open the menu of the browser.
        if (start.current) event.preventDefault()
      }}
      onClick={(event) => {
        if (wasHeld.current) return
        // Touches also fire `click`; the pointer type identifies a mouse.
        const { pointerType } = event.nativeEvent as globalThis.PointerEvent
        if (pointerType === 'mouse' || pointerType === '') onMouseClick(event.detail)
      }}
      role="presentation"
    >
      {children}
    </div>
  )
}
