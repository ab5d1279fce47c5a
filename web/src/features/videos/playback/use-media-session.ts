import type { Chapter } from '@kinora/contract/videos/videos.ts'
import { useEffect } from 'react'
import type { PlaybackState } from './state/playback-state.ts'
import type { Player } from './state/player.ts'

/**
 * Metadata and commands for the system: lock screens, headphones, media keys. Set only after playback has started, because
 * the first access to the media session blocks in some browsers.
 */
export function useMediaSession(
  player: Player,
  state: PlaybackState,
  details: { title: string; artist: string; poster: string; chapters: readonly Chapter[] } | undefined,
) {
  const { title, artist, poster, chapters } = details ?? {}
  const { durationSeconds, rate, isPaused, hasStarted } = state

  useEffect(() => {
    if (!('mediaSession' in navigator) || title === undefined || !hasStarted) return
    // TypeScript does not know the chapters yet; browsers without them ignore these.
    const metadata: MediaMetadataInit & { chapterInfo: object[] } = {
      title,
      artist: artist ?? '',
      artwork: poster ? [{ src: poster }] : [],
      chapterInfo: (chapters ?? []).map((chapter) => ({
        title: chapter.title,
        startTime: chapter.startSeconds,
      })),
    }
    navigator.mediaSession.metadata = new MediaMetadata(metadata)
    return () => {
      navigator.mediaSession.metadata = null
    }
  }, [title, artist, poster, chapters, hasStarted])

  useEffect(() => {
    if (!('mediaSession' in navigator) || !hasStarted) return
    const handlers: [MediaSessionAction, MediaSessionActionHandler][] = [
      ['play', player.play],
      ['pause', player.pause],
      ['seekbackward', ({ seekOffset }) => player.seekBy(-(seekOffset ?? 10))],
      ['seekforward', ({ seekOffset }) => player.seekBy(seekOffset ?? 10)],
      ['seekto', ({ seekTime }) => seekTime !== undefined && player.seekTo(seekTime)],
    ]
    for (const [action, handle] of handlers) setHandler(action, handle)
    return () => {
      for (const [action] of handlers) setHandler(action, null)
    }
  }, [player, hasStarted])

  const wholeSeconds = Math.floor(state.currentSeconds)
  useEffect(() => {
    if (!('mediaSession' in navigator) || !hasStarted) return
    navigator.mediaSession.playbackState = isPaused ? 'paused' : 'playing'
    if (durationSeconds > 0) {
      navigator.mediaSession.setPositionState({
        duration: durationSeconds,
        playbackRate: rate,
        position: Math.min(wholeSeconds, durationSeconds),
      })
    }
  }, [durationSeconds, rate, isPaused, hasStarted, wholeSeconds])
}

function setHandler(action: MediaSessionAction, handle: MediaSessionActionHandler | null) {
  try {
    navigator.mediaSession.setActionHandler(action, handle)
  } catch {
    // Browsers throw a TypeError for actions that they do not support.
  }
}
