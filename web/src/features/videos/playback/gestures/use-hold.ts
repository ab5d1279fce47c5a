import { useEffect, useEffectEvent, useRef } from 'react'
import type { Player } from '../state/player.ts'

const HOLD_MS = 500
const HELD_RATE = 2

/** Plays at double speed while the video is held. */
export function useHold(player: Player, onHint: (text: string) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const rateBefore = useRef<number>(undefined)

  /** A press ends. Returns whether it was a hold, and therefore no click or tap. */
  function end(): boolean {
    clearTimeout(timer.current)
    if (rateBefore.current === undefined) return false
    player.setTemporaryRate(rateBefore.current)
    rateBefore.current = undefined
    return true
  }

  // A window that loses the focus may miss the end of the press.
  const onBlur = useEffectEvent(end)
  useEffect(() => {
    const onWindowBlur = () => void onBlur()
    addEventListener('blur', onWindowBlur)
    return () => {
      clearTimeout(timer.current)
      removeEventListener('blur', onWindowBlur)
    }
  }, [])

  return {
    /** A press begins. */
    begin() {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        const state = player.currentState()
        if (!state || state.isPaused) return
        rateBefore.current = state.rate
        player.setTemporaryRate(HELD_RATE)
        onHint(`${HELD_RATE}×`)
      }, HOLD_MS)
    },
    end,
    isHeld: () => rateBefore.current !== undefined,
  }
}
