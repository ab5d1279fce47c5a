import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useSyncExternalStore } from 'react'
import { videoKeys } from '../../../lib/query-keys.ts'
import { liveKeys, liveStatusQuery } from './api.ts'
import { isNotFound } from '../../../lib/is-not-found.ts'

/** A player of a live stream. */
export interface LivePlayer {
  videoId: string
  player: RefObject<{ media: () => HTMLVideoElement | null } | null>
  /** The end of the stream that an element plays. */
  edgeOf: (media: HTMLVideoElement) => { isNear: () => boolean; join: () => void }
}

/** Times between the looks for a recording. Finishing it may take an hour. */
const FIRST_RECORDING_MS = 1500
const MAX_RECORDING_MS = 30_000

/** Events of a player whose stream may have ended. */
const interruptions = ['waiting', 'emptied', 'error', 'ended'] as const
/** Events after which the distance from the end may be another. */
const positionChanges = ['timeupdate', 'seeking', 'durationchange'] as const

/** The state of a live stream for its viewer. Its page loads the video again when it is over. */
export function useLiveStatus({ videoId, player, edgeOf }: LivePlayer) {
  const client = useQueryClient()
  const { data: status, error, refetch } = useQuery(liveStatusQuery(videoId))
  const isDeleted = isNotFound(error)
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
    // it would go on in a corner
    if (isDeleted) player.current?.media()?.pause()
  }, [isDeleted, player])
  // until the page shows the recording, which has no live status
  useQuery({
    queryKey: liveKeys.recording(videoId),
    queryFn: async () => {
      await client.invalidateQueries({ queryKey: videoKeys.video(videoId) })
      return null
    },
    enabled: isOver,
    // not in hidden tabs
    refetchInterval: ({ state: { dataUpdateCount } }) =>
      Math.min(MAX_RECORDING_MS, FIRST_RECORDING_MS * 2 ** (dataUpdateCount - 1)),
    refetchOnWindowFocus: true,
    gcTime: 0,
  })
  useEffect(() => {
    return listenTo(interruptions, () => void refetch({ cancelRefetch: false }))
  }, [listenTo, refetch])
  const subscribe = useCallback((listener: () => void) => listenTo(positionChanges, listener), [listenTo])
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
