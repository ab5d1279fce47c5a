import { useQuery } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { positionQuery, savePosition } from '../api.ts'
import { localPosition, saveLocalPosition } from './local-positions.ts'
import { resumeSeconds } from '../state/playback-state.ts'
import type { PlayerHandle } from '../video-player.tsx'

/** A place on the server that differs by less is the one this browser knows. */
const SAME_PLACE_SECONDS = 15
/** Nobody is moved who has settled down to watch. */
const SETTLED_SECONDS = 8

/**
 * Where to begin a video and where it was left: in this browser for everybody, on the server for those signed in, so that
 * they can go on elsewhere. A start in the address (`?t=`) comes before both.
 */
export function usePosition({
  videoId,
  isSignedIn,
  asked,
  durationSeconds,
  player,
}: {
  videoId: string
  isSignedIn: boolean
  asked: number | undefined
  durationSeconds: number | undefined
  player: RefObject<PlayerHandle | null>
}) {
  const remote = useQuery({ ...positionQuery(videoId), enabled: isSignedIn && asked === undefined })
  const remoteSeconds = remote.data?.positionSeconds
  const wasSignedIn = useRef(isSignedIn)
  const known = useRef({ asked, remoteSeconds, durationSeconds })
  useEffect(() => {
    wasSignedIn.current = isSignedIn
    known.current = { asked, remoteSeconds, durationSeconds }
  })

  const startSeconds = useCallback(() => {
    const { asked: wanted, remoteSeconds: elsewhere, durationSeconds: length } = known.current
    return wanted ?? resumeSeconds(elsewhere ?? localPosition(videoId), length)
  }, [videoId])

  // The server's answer may come after the first picture: then the viewer is moved, unless already under way.
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
      // Judged now, since the length may not be known when it is asked for.
      saveLocalPosition(videoId, resumeSeconds(seconds, known.current.durationSeconds))
      if (!wasSignedIn.current) return
      savePosition(videoId, seconds).catch((error: unknown) =>
        console.warn('The position was not saved', error),
      )
    },
    [videoId],
  )

  return { startSeconds, onPosition }
}
