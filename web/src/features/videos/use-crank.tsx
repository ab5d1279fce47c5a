import { lazy, type PointerEvent, type ReactNode, Suspense, useState } from 'react'

const Reel = lazy(async () => ({ default: (await import('./reel.tsx')).Reel }))

/** Where the pointer stands over a thumbnail: a share of its width from 0 to 1, and the size of the picture. */
export type CrankPosition = { share: number; width: number; height: number }

/** What moving the pointer across a thumbnail shows: frames of the video, turned by the viewer's hand. */
export function useCrank(storyboardUrl: string | null) {
  const [position, setPosition] = useState<CrankPosition>()
  const follow = (event: PointerEvent<HTMLElement>) => {
    if (event.pointerType !== 'mouse' || storyboardUrl === null) return
    const { left, width, height } = event.currentTarget.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (event.clientX - left) / width))
    setPosition({ share, width, height })
  }
  const reel: ReactNode = position && storyboardUrl !== null && (
    <Suspense>
      <Reel storyboardUrl={storyboardUrl} position={position} />
    </Suspense>
  )
  return {
    handlers: { onPointerEnter: follow, onPointerMove: follow, onPointerLeave: () => setPosition(undefined) },
    reel,
  }
}
