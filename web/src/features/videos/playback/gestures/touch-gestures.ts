/** The tapped third of the video; `share` runs from 0 (left edge) to 1. */
export function tapOf(share: number): 'left' | 'middle' | 'right' {
  if (share < 1 / 3) return 'left'
  return share > 2 / 3 ? 'right' : 'middle'
}

export type Swipe = { type: 'tap' } | { type: 'seek'; seconds: number } | { type: 'down' }

const TAP_PX = 14
const DOWN_PX = 60
/** A swipe across the whole width seeks this far, or through the whole video if that is shorter. */
const FULL_SWIPE_SECONDS = 120

/** Classifies a finger movement of `dx`, `dy` pixels over a video of this width. */
export function swipeOf(dx: number, dy: number, width: number, durationSeconds: number): Swipe {
  if (Math.hypot(dx, dy) < TAP_PX) return { type: 'tap' }
  if (Math.abs(dx) > Math.abs(dy)) {
    const reach = Math.min(FULL_SWIPE_SECONDS, durationSeconds)
    return { type: 'seek', seconds: (dx / Math.max(1, width)) * reach }
  }
  return { type: dy < DOWN_PX ? 'tap' : 'down' }
}
