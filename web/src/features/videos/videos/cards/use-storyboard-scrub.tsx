import {
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  type ReactNode,
  Suspense,
  useRef,
  useState,
} from 'react'
import type { ScrubPosition } from './hover-preview.tsx'

const HoverPreview = lazy(async () => ({ default: (await import('./hover-preview.tsx')).HoverPreview }))

/** Step of an arrow key, as a fraction of the duration. */
const STEP = 1 / 6

/**
 * Scrubs through the storyboard with the pointer over the thumbnail, or with the arrow keys while the title has the focus.
 */
export function useStoryboardScrub(storyboardUrl: string | null | undefined) {
  const thumb = useRef<HTMLDivElement>(null)
  const [position, setPosition] = useState<ScrubPosition>()

  function scrubTo(shareOf: (box: DOMRect) => number) {
    const box = thumb.current?.getBoundingClientRect()
    if (!box || !storyboardUrl) return
    setPosition({
      share: Math.min(1, Math.max(0, shareOf(box))),
      width: box.width,
      height: box.height,
    })
  }

  function follow({ pointerType, clientX }: PointerEvent) {
    if (pointerType === 'mouse') scrubTo(({ left, width }) => (clientX - left) / width)
  }

  function step(event: KeyboardEvent) {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (direction === undefined || !storyboardUrl) return
    event.preventDefault()
    // The middle of a frame's interval, so that rounding skips no frame.
    scrubTo(() => (position ? position.share + direction * STEP : STEP / 2))
  }

  const stop = () => setPosition(undefined)
  const preview: ReactNode = position && storyboardUrl && (
    <Suspense>
      <HoverPreview storyboardUrl={storyboardUrl} position={position} />
    </Suspense>
  )
  return {
    thumb: { ref: thumb, onPointerEnter: follow, onPointerMove: follow, onPointerLeave: stop },
    title: { onKeyDown: step, onBlur: stop },
    preview,
  }
}
