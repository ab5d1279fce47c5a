import { type PointerEvent, type ReactNode, useEffect, useRef } from 'react'
import { hintOfSeek } from '../keyboard/player-hints.ts'
import { swipeOf, tapOf } from './touch-gestures.ts'
import type { Player } from '../use-playback.ts'
import styles from './touch-surface.module.css'

const DOUBLE_MS = 300

/**
 * The picture as a surface: a click plays or pauses, a double click fills the screen. A touch shows the controls, a double
 * tap at the side seeks, a sideways swipe seeks as far as it goes, and tells how far that is. Upright ones scroll the page;
 * in full screen, where there is none, one downwards leaves it. It lies around the picture and not over it, so that what a
 * pointer meets is the video itself, for whatever asks.
 * All of it is for pointers only; the same can be done with the controls.
 */
export function TouchSurface({
  player,
  durationSeconds,
  isFullScreen,
  isChromeHidden,
  onStir,
  onHide,
  onHint,
  children,
}: {
  player: Player
  durationSeconds: number
  isFullScreen: boolean
  isChromeHidden: boolean
  onStir: () => void
  onHide: () => void
  onHint: (text: string) => void
  /** The picture. */
  children: ReactNode
}) {
  const start = useRef<{ x: number; y: number; wasHidden: boolean }>(undefined)
  const lastTold = useRef('')
  const lastTap = useRef<{ at: number; side: ReturnType<typeof tapOf> }>({ at: 0, side: 'middle' })
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(pending.current), [])

  function onMouseClick(clicks: number) {
    // The first click of a double one must not leave the video paused.
    clearTimeout(pending.current)
    if (clicks % 2 === 0) player.toggleFullScreen()
    else pending.current = setTimeout(player.togglePlay, clicks === 1 ? 200 : 0)
  }

  function onTap(event: PointerEvent<HTMLElement>, wasHidden: boolean) {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const side = tapOf((event.clientX - left) / width)
    const isDouble = event.timeStamp - lastTap.current.at < DOUBLE_MS && lastTap.current.side === side
    lastTap.current = { at: event.timeStamp, side }
    if (isDouble && side !== 'middle') {
      clearTimeout(pending.current)
      const seconds = side === 'left' ? -10 : 10
      player.seekBy(seconds)
      onHint(hintOfSeek(seconds))
    } else if (wasHidden) {
      onStir()
    } else {
      pending.current = setTimeout(onHide, DOUBLE_MS)
    }
  }

  /** How far a swipe would go if it ended here. */
  function onTouchMove(event: PointerEvent<HTMLElement>) {
    const swipe = swipeUntil(event)
    if (swipe?.type !== 'seek') return
    const text = hintOfSeek(swipe.seconds)
    if (text !== lastTold.current) onHint(text)
    lastTold.current = text
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
    lastTold.current = ''
    if (!swipe) return
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
        if (event.pointerType === 'mouse' || !event.isPrimary) return
        start.current = { x: event.clientX, y: event.clientY, wasHidden: isChromeHidden }
      }}
      onPointerMove={onTouchMove}
      onPointerUp={(event) => {
        if (event.pointerType !== 'mouse' && event.isPrimary) onTouchEnd(event)
      }}
      onPointerCancel={() => (start.current = undefined)}
      onClick={(event) => {
        // The pointer type tells a mouse from the click that follows a touch.
        const { pointerType } = event.nativeEvent as globalThis.PointerEvent
        if (pointerType === 'mouse' || pointerType === '') onMouseClick(event.detail)
      }}
      role="presentation"
    >
      {children}
    </div>
  )
}
