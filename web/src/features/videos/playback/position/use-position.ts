import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { positionQuery, positionsQuery, savePosition } from './api.ts'
import { localPosition, saveLocalPosition } from './local-positions.ts'
import { isNearEnd, resumeSeconds } from '../state/playback-state.ts'
import type { PlayerHandle } from '../state/player.ts'

/** A saved position that differs from playback by less counts as the same. */
const SAME_PLACE_SECONDS = 15
/** Viewers who have watched this long are not moved to a saved position. */
const SETTLED_SECONDS = 8

/**
 * Restores and saves the playback position: in this browser for everyone, on the server for signed-in viewers, so that
 * they can continue on another device. A start time in the URL (`?t=`) takes precedence. While it is unknown who watches,
 * nothing is restored or saved in this browser.
 */
export function usePosition({
  videoId,
  userId,
  requestedSeconds,
  durationSeconds,
  player,
}: {
  videoId: string
  /** Null for visitors, undefined while unknown. */
  userId: string | null | undefined
  requestedSeconds: number | undefined
  durationSeconds: number | undefined
  player: RefObject<PlayerHandle | null>
}) {
  const client = useQueryClient()
  const isSignedIn = typeof userId === 'string'
  const remote = useQuery({
    ...positionQuery(videoId),
    enabled: isSignedIn && requestedSeconds === undefined,
  })
  const remoteSeconds = remote.data?.positionSeconds
  // Read when it becomes known who watches, before this playback saves its own position.
  const localSeconds = useMemo(
    () => (userId === undefined ? undefined : localPosition(userId, videoId)),
    [userId, videoId],
  )
  const savedSeconds = isSignedIn ? remoteSeconds : localSeconds
  const known = useRef({ userId, requestedSeconds, remoteSeconds, localSeconds, durationSeconds })
  useLayoutEffect(() => {
    known.current = { userId, requestedSeconds, remoteSeconds, localSeconds, durationSeconds }
  })

  const began = useRef(0)
  const startSeconds = useCallback(() => {
    const { requestedSeconds: wanted, durationSeconds: length, ...saved } = known.current
    began.current = wanted ?? resumeSeconds(saved.remoteSeconds ?? saved.localSeconds ?? 0, length)
    return began.current
  }, [])

  // The account and the server's position may arrive after playback has started.
  const hasMoved = useRef(requestedSeconds !== undefined)
  useEffect(() => {
    if (savedSeconds === undefined || durationSeconds === undefined || hasMoved.current) return
    hasMoved.current = true
    const target = resumeSeconds(savedSeconds, durationSeconds)
    const here = player.current?.currentSeconds() ?? 0
    const isSettled = Math.abs(here - began.current) > SETTLED_SECONDS && here > SETTLED_SECONDS
    const isSamePlace = began.current > 0 && Math.abs(target - here) <= SAME_PLACE_SECONDS
    if (target > 0 && !isSettled && !isSamePlace) player.current?.seekTo(target)
  }, [savedSeconds, durationSeconds, player])

  const onPosition = useCallback(
    (seconds: number, isEnded: boolean, loadedSeconds = NaN) => {
      const { userId: viewer, durationSeconds: length } = known.current
      if (viewer === undefined) return
      // Applied now, because the duration may be unknown when the position is read.
      const resumed = resumeSeconds(seconds, length)
      const isFinished = isEnded || isNearEnd(seconds, length)
      saveLocalPosition(viewer, videoId, resumed)
      if (viewer === null) return
      client.setQueryData(positionsQuery.queryKey, (positions) => {
        if (!positions) return positions
        const before = positions.get(videoId)
        const shown = isFinished ? Infinity : resumed || (before === Infinity ? before : 0)
        const others = [...positions].filter(([id]) => id !== videoId)
        return new Map(shown > 0 ? [...others, [videoId, shown] as const] : others)
      })
      const position = {
        positionSeconds: seconds,
        ...(isFinished && { isFinished }),
        // neither unknown nor endless
        ...(loadedSeconds < Infinity && { durationSeconds: loadedSeconds }),
      }
      savePosition(videoId, position).catch((error: unknown) =>
        console.warn('Failed to save the position', error),
      )
    },
    [client, videoId],
  )

  return { startSeconds, onPosition }
}
