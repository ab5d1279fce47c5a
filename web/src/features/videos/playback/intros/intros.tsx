import { type RefObject, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { isFullScreen } from '../engine/full-screen.ts'
import type { Part } from '../range/part.ts'
import type { PlaybackState } from '../state/playback-state.ts'
import type { Player } from '../state/player.ts'
import { introPart, type IntroPlayback, type IntroTarget, playerAround } from './intro-part.ts'
import { IntroPlayer } from './intro-player.tsx'
import { initialIntroState, type IntroEvent, introStateAfter, isPausedByViewer } from './intro-state.ts'
import { saveShown, wasShownLately } from './recent-intros.ts'

/** Whether the viewer sees something else, or the picture of the element outside of the page: both show no intro. */
const isElsewhere = (element: HTMLVideoElement) =>
  document.hidden || document.pictureInPictureElement === element || isFullScreen(null, element)

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
  onLeftPlaying,
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
  /** Called when the page is left while the intro plays. */
  onLeftPlaying: () => void
}) {
  const [state, setState] = useState(() => initialIntroState(introId, playback.state))
  const [shown, setShown] = useState<IntroPlayback>()
  const target = useRef<IntroTarget>({ state, shown, leave })

  function change(event: IntroEvent) {
    const next = introStateAfter(target.current.state, event)
    target.current.state = next
    setState(next)
    return next
  }
  function show(next: IntroPlayback) {
    target.current.shown = next
    setShown(next)
  }
  function leave(options?: { plays: boolean }) {
    const { state: before, shown: left } = target.current
    if (!('videoId' in before)) return
    const { plays } = options ?? { plays: !(left && isPausedByViewer(left.state)) }
    // the pressed button disappears
    if (document.activeElement?.closest('[data-intro]')) region.current?.focus()
    change({ type: 'left' })
    show(undefined)
    if (before.phase === 'intro' && plays) playback.player.play()
  }

  const onPlay = useEffectEvent((element: HTMLVideoElement) => {
    const { phase } = target.current.state
    if (phase === 'intro') return element.pause()
    if (phase === 'outro') return leave()
    const next = change({
      type: 'played',
      introId,
      atSeconds: Math.max(startSeconds(), element.currentTime),
      isElsewhere: isElsewhere(element),
      wasShownLately: introId !== undefined && wasShownLately(introId, Date.now()),
    })
    if (!('videoId' in next)) return
    // also for one that turns out to be unplayable, which would delay every video
    saveShown(next.videoId, Date.now())
    element.pause()
  })
  const onElsewhere = useEffectEvent(() => leave())
  useLayoutEffect(() => {
    const element = video.current
    if (!element) return
    const listening = new AbortController()
    const { signal } = listening
    const listen = () => onPlay(element)
    if (!element.paused) listen()
    element.addEventListener('play', listen, { signal })
    for (const name of ['enterpictureinpicture', 'webkitbeginfullscreen'])
      element.addEventListener(name, () => onElsewhere(), { signal })
    return () => listening.abort()
  }, [video])

  const { isEnded } = playback.state
  const onEnded = useEffectEvent(() => {
    if (video.current) change({ type: 'ended', outroId, isElsewhere: isElsewhere(video.current), isLast })
  })
  useLayoutEffect(() => {
    if (isEnded) onEnded()
  }, [isEnded])

  const around = useAround(playback.player, target)
  const part = useMemo(() => introPart(state, shown, around), [state, shown, around])
  const give = useEffectEvent(onPart)
  useLayoutEffect(() => {
    give(part)
  }, [part])
  const close = useEffectEvent(() => {
    onPart(undefined)
    const { state: last, shown: left } = target.current
    if (last.phase === 'intro' && !(left && isPausedByViewer(left.state))) onLeftPlaying()
  })
  useLayoutEffect(() => () => close(), [])

  return (
    'videoId' in state && (
      <IntroPlayer
        key={state.phase}
        videoId={state.videoId}
        isIntro={state.phase === 'intro'}
        video={video}
        videoPlayer={playback.player}
        region={region}
        onChange={show}
        onLeave={leave}
      />
    )
  )
}

/** `playerAround` as one object, whatever plays. */
const useAround = (player: Player, target: RefObject<IntroTarget>) =>
  useMemo(() => playerAround(player, target), [player, target])
