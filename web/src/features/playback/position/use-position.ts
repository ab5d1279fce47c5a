import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { positionQuery, positionsQuery, savePosition } from './api.ts'
import { localPosition, saveLocalPosition } from './local-positions.ts'
import { resumeSeconds } from '../state/playback-state.ts'
import type { PlayerHandle } from '../state/player.ts'

/** Positions of server and browser that differ by less count as the same. */
const SAME_PLACE_SECONDS = 15
/** Viewers who have watched this long are not moved to the server's position. */
const SETTLED_SECONDS = 8

/**
 * Restores and saves the playback position: in this browser for everyone, on the server for signed-in viewers, so that
 * they can continue on another device. A start time in the URL (`?t=`) takes precedence.
 */
export function usePosition({
  videoId,
  isSignedIn,
  requestedSeconds,
  durationSeconds,
  player,
}: {
  videoId: string
  isSignedIn: boolean
  requestedSeconds: number | undefined
  durationSeconds: number | undefined
  player: RefObject<PlayerHandle | null>
}) {
  const client = useQueryClient()
  const remote = useQuery({
    ...positionQuery(videoId),
    enabled: isSignedIn && requestedSeconds === undefined,
  })
  const remoteSeconds = remote.data?.positionSeconds
  const wasSignedIn = useRef(isSignedIn)
  const known = useRef({ requestedSeconds, remoteSeconds, durationSeconds })
  useEffect(() => {
    wasSignedIn.current = isSignedIn
    known.current = { requestedSeconds, remoteSeconds, durationSeconds }
  })

  const startSeconds = useCallback(() => {
    const { requestedSeconds: wanted, remoteSeconds: elsewhere, durationSeconds: length } = known.current
    return wanted ?? resumeSeconds(elsewhere ?? localPosition(videoId), length)
  }, [videoId])

  // The server's position may arrive after playback has started.
  const hasMoved = useRef(false)
  useEffect(() => {
    if (remoteSeconds === undefined || durationSeconds === undefined || hasMoved.current) return
    hasMoved.current = true
    const target = resumeSeconds(remoteSeconds, durationSeconds)
    const here = player.current?.currentSeconds() ?? 0
    const began = resumeSeconds(localPosition(videoId), durationSeconds)
    const isSettled = Math.abs(here - began) > SETTLED_SECONDS && here > SETTLED_SECONDS
    const isSamePlace = began > 0 && Math.abs(target - here) <= SAME_PLACE_SECONDS
    if (target > 0 && !isSettled && !isSamePlace) player.current?.seekTo(target)
  }, [remoteSeconds, durationSeconds, videoId, player])

  const onPosition = useCallback(
    (seconds: number) => {
      // Applied now, because the duration may be unknown when the position is read.
      saveLocalPosition(videoId, resumeSeconds(seconds, known.current.durationSeconds))
      if (!wasSignedIn.current) return
      client.setQueryData(positionsQuery.queryKey, (positions) => {
        if (!positions) return positions
        const resumed = resumeSeconds(seconds, known.current.durationSeconds)
        const others = [...positions].filter(([id]) => id !== videoId)
        return new Map(resumed > 0 ? [...others, [videoId, resumed] as const] : others)
      })
      savePosition(videoId, seconds).catch((error: unknown) =>
        console.warn('Failed to save the position', error),
      )
    },
    [client, videoId],
  )

  return { startSeconds, onPosition }
}
