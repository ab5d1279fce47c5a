import { type RefObject, useEffect } from 'react'
import type { PlayerHandle } from '../state/player.ts'
import { onReached } from '../../../../lib/browser/on-reached.ts'

/** Pauses once where a part of a video ends. Playing on continues beyond it. */
export function PauseAt({ player, seconds }: { player: RefObject<PlayerHandle | null>; seconds: number }) {
  useEffect(() => {
    const media = player.current?.media()
    if (!media) return
    const stop = onReached(media, seconds, () => {
      stop()
      media.pause()
    })
    return stop
  }, [player, seconds])
  return null
}
