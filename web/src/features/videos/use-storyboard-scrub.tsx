import {
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  type ReactNode,
  Suspense,
  useRef,
  useState,
} from 'react'
import type { CrankPosition } from './hover-preview.tsx'

const Reel = lazy(async () => ({ default: (await import('./hover-preview.tsx')).Reel }))

/** How far one press of an arrow key turns. */
const STEP = 1 / 6

/**
 * Frames of the video, turned by the viewer's hand: the pointer moving across the thumbnail, or the arrow keys while
 * the title has the focus.
 */
export function useCrank(storyboardUrl: string | null | undefined) {
  const thumb = useRef<HTMLDivElement>(null)
  const [position, setPosition] = useState<CrankPosition>()

  function turnTo(shareOf: (box: DOMRect) => number) {
    const box = thumb.current?.getBoundingClientRect()
    if (!box || !storyboardUrl) return
    setPosition({
      share: Math.min(1, Math.max(0, shareOf(box))),
      width: box.width,
      height: box.height,
    })
  }

  function follow({ pointerType, clientX }: PointerEvent) {
    if (pointerType === 'mouse') turnTo(({ left, width }) => (clientX - left) / width)
  }

  function step(event: KeyboardEvent) {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (direction === undefined || !storyboardUrl) return
    event.preventDefault()
    // In the middle of a frame's share, so that no rounding skips one.
    turnTo(() => (position ? position.share + direction * STEP : STEP / 2))
  }

  const rest = () => setPosition(undefined)
  const reel: ReactNode = position && storyboardUrl && (
    <Suspense>
      <Reel storyboardUrl={storyboardUrl} position={position} />
    </Suspense>
  )
  return {
    thumb: { ref: thumb, onPointerEnter: follow, onPointerMove: follow, onPointerLeave: rest },
    title: { onKeyDown: step, onBlur: rest },
    reel,
  }
}
