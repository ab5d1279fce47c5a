import { useEffect, useState } from 'react'
import { parseFrameCommand } from './state/frame-messages.ts'
import type { PlaybackState } from './state/playback-state.ts'
import type { Player } from './state/player.ts'

/**
 * Lets the page around an embedded player control and follow it (`docs/embedding.md`). Any site may do so, as any site may
 * frame the player: there is no command that reaches beyond this playback, such as one that saves a preference.
 */
export function FrameMessages({ player, state }: { player: Player; state: PlaybackState }) {
  const [listener, setListener] = useState<{ origin: string }>()
  const { isPaused, isEnded, currentSeconds, durationSeconds, volume, isMuted } = state

  useEffect(() => {
    if (window.parent === window) return
    const listening = new AbortController()
    const receive = ({ source, origin, data }: MessageEvent<unknown>) => {
      // Not from other frames of the page, nor from the window that opened it.
      if (source !== window.parent) return
      const message = parseFrameCommand(data)
      switch (message?.command) {
        case 'listen':
          return setListener({ origin })
        case 'play':
          return player.play()
        case 'pause':
          return player.pause()
        case 'seek':
          return player.seekTo(message.seconds)
        case 'volume':
          return player.setTemporaryVolume(message.volume)
      }
    }
    window.addEventListener('message', receive, { signal: listening.signal })
    // So that the page need not guess when the player receives commands. The same for every video and viewer.
    window.parent.postMessage({ type: 'kinora.ready' }, '*')
    return () => listening.abort()
  }, [player])

  useEffect(() => {
    if (!listener) return
    const values = { isPlaying: !isPaused, isEnded, currentSeconds, durationSeconds, volume, isMuted }
    window.parent.postMessage({ type: 'kinora.state', ...values }, listener.origin)
  }, [listener, isPaused, isEnded, currentSeconds, durationSeconds, volume, isMuted])
  return null
}
