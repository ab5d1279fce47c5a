import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useSyncExternalStore } from 'react'
import { videoKeys } from '../../../lib/query-keys.ts'
import { isGone, liveStatusQuery } from './api.ts'

/** A player of a live stream. */
export interface LivePlayer {
  videoId: string
  player: RefObject<{ media: () => HTMLVideoElement | null } | null>
  /** The end of the stream that an element plays. */
  edgeOf: (media: HTMLVideoElement) => { isNear: () => boolean; join: () => void }
}

/** How often a page whose stream has ended looks for the recording. */
const RELOAD_MS = 1500

/** Events of a player that the end of a stream causes, or its pause. */
const stops = ['waiting', 'emptied', 'error', 'ended'] as const
/** Events after which the distance from the end may be another. */
const moves = ['timeupdate', 'seeking', 'durationchange'] as const

/** The state of a live stream for its viewer. Its page loads the video again when it is over. */
export function useLiveStatus({ videoId, player, edgeOf }: LivePlayer) {
  const client = useQueryClient()
  const { data: status, error, refetch } = useQuery(liveStatusQuery(videoId))
  const isDeleted = isGone(error)
  const isOver = isDeleted || status?.isLive === false
  const listenTo = useCallback(
    (events: readonly string[], listener: () => void) => {
      const listening = new AbortController()
      for (const event of events)
        player.current?.media()?.addEventListener(event, listener, { signal: listening.signal })
      return () => listening.abort()
    },
    [player],
  )
  useEffect(() => {
    if (!isOver) return
    // it would go on in a corner
    if (isDeleted) player.current?.media()?.pause()
    // the page shows the recording from now on, if there is one; a response can be a second old
    const reload = () => void client.invalidateQueries({ queryKey: videoKeys.video(videoId) })
    reload()
    const timer = setInterval(reload, RELOAD_MS)
    return () => clearInterval(timer)
  }, [client, isOver, isDeleted, player, videoId])
  useEffect(() => {
    return listenTo(stops, () => void refetch({ cancelRefetch: false }))
  }, [listenTo, refetch])
  const subscribe = useCallback((listener: () => void) => listenTo(moves, listener), [listenTo])
  const isBehind = useSyncExternalStore(subscribe, () => {
    const media = player.current?.media()
    return media != null && media.played.length > 0 && !edgeOf(media).isNear()
  })
  return {
    isOver,
    viewers: status?.viewers ?? 0,
    isConnected: status?.isConnected !== false,
    /** Playback is further from the end than usual. */
    isBehind,
  }
}
