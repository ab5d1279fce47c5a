import { useEffect, useRef } from 'react'
import type { Player } from '../state/player.ts'

const HOLD_MS = 500
const HELD_RATE = 2

/** Plays at double speed while the video is held. */
export function useHold(player: Player, onHint: (text: string) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const rateBefore = useRef<number>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    /** A press begins. */
    begin() {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        const state = player.currentState()
        if (!state || state.isPaused) return
        rateBefore.current = state.rate
        player.setPassingRate(HELD_RATE)
        onHint(`${HELD_RATE}×`)
      }, HOLD_MS)
    },
    /** A press ends. Returns whether it was a hold, and therefore no click or tap. */
    end(): boolean {
      clearTimeout(timer.current)
      if (rateBefore.current === undefined) return false
      player.setPassingRate(rateBefore.current)
      rateBefore.current = undefined
      return true
    },
    isHeld: () => rateBefore.current !== undefined,
  }
}
