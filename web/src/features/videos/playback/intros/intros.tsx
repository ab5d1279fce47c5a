import { type RefObject, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Part } from '../range/part.ts'
import type { PlaybackState } from '../state/playback-state.ts'
import type { Player } from '../state/player.ts'
import {
  introPart,
  type IntroPhase,
  type IntroPlayback,
  type IntroTarget,
  kindOf,
  playerAround,
} from './intro-part.ts'
import { IntroPlayer } from './intro-player.tsx'
import { saveShown, wasShownLately } from './recent-intros.ts'

/** A video that has played longer before its intro is known goes on without it. */
const LATE_SECONDS = 5

/**
 * Shows the intro of a channel before a video, and its outro after it, in elements of their own: the video waits meanwhile, so
 * nothing that has times of it knows of them. An intro precedes a video that is started at its beginning, once for each visit.
 */
export function Intros({
  introId,
  outroId,
  video,
  region,
  playback,
  startSeconds,
  isLast,
  onPart,
}: {
  introId: string | undefined
  outroId: string | undefined
  /** The element of the video. */
  video: RefObject<HTMLVideoElement | null>
  /** The player around it. */
  region: RefObject<HTMLElement | null>
  /** The state of the video, and its commands. */
  playback: { state: PlaybackState; player: Player }
  startSeconds: () => number
  /** Nothing is played after the video. */
  isLast: boolean
  /** Receives what the player shows in place of the whole video; undefined for the video itself. */
  onPart: (part: Part | undefined) => void
}) {
  const [phase, setPhase] = useState<IntroPhase>(introId === undefined ? 'video' : 'waiting')
  const [shown, setShown] = useState<IntroPlayback>()
  const hasOutro = outroId !== undefined && !isLast
  const kind = kindOf(phase, hasOutro, playback.state)
  /** Read by events, which come before the next render. */
  const holdsVideo = useRef(introId !== undefined)

  function end() {
    // the pressed button disappears
    if (document.activeElement?.closest('[data-intro]')) region.current?.focus()
    setShown(undefined)
    holdsVideo.current = false
    setPhase(kind === 'outro' ? 'over' : 'video')
    if (kind === 'intro') playback.player.play()
  }

  const onPlay = useEffectEvent((element: HTMLVideoElement) => {
    if (!holdsVideo.current) return
    if (phase === 'intro') return element.pause()
    const isDue =
      introId !== undefined &&
      startSeconds() === 0 &&
      element.currentTime < LATE_SECONDS &&
      !document.hidden &&
      !wasShownLately(introId, Date.now())
    if (!isDue) {
      holdsVideo.current = false
      return setPhase('video')
    }
    saveShown(introId, Date.now())
    element.pause()
    setPhase('intro')
  })
  useLayoutEffect(() => {
    const element = video.current
    if (!element) return
    const listen = () => onPlay(element)
    if (!element.paused) listen()
    element.addEventListener('play', listen)
    return () => element.removeEventListener('play', listen)
  }, [video])

  const target = useRef({ kind, shown, end })
  useLayoutEffect(() => {
    target.current = { kind, shown, end }
  })
  const around = useAround(playback.player, target)
  const part = useMemo(() => introPart(phase, hasOutro, shown, around), [phase, hasOutro, shown, around])
  const give = useEffectEvent(onPart)
  useLayoutEffect(() => {
    give(part)
  }, [part])
  useLayoutEffect(
    () => () => {
      give(undefined)
    },
    [],
  )

  const videoId = kind === 'intro' ? introId : outroId
  if (kind === undefined || videoId === undefined) return null
  return (
    <IntroPlayer
      key={kind}
      videoId={videoId}
      isIntro={kind === 'intro'}
      video={video}
      region={region}
      onChange={setShown}
      onEnd={end}
    />
  )
}

/** `playerAround` as one object, whatever plays. */
const useAround = (player: Player, target: RefObject<IntroTarget>) =>
  useMemo(() => playerAround(player, target), [player, target])
