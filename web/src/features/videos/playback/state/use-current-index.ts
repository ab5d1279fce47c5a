import { type RefObject, useCallback, useSyncExternalStore } from 'react'
import { indexAt } from './index-at.ts'
import type { PlayerHandle } from './player.ts'

/** Index of the item that is playing, or -1. Renders only when the index changes. `items` are in order of time. */
export function useCurrentIndex(
  player: RefObject<PlayerHandle | null>,
  items: readonly { startSeconds: number }[],
): number {
  const subscribe = useCallback(
    (listener: () => void) => player.current?.onTime(listener) ?? (() => undefined),
    [player],
  )
  return useSyncExternalStore(subscribe, () => indexAt(items, player.current?.currentSeconds() ?? 0))
}
