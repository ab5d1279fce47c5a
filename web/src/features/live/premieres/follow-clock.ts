/** A player that is off by less plays on as it is. */
const toleratedSeconds = 0.25
/** One that is behind by more jumps; by less, it plays a little faster. */
const jumpSeconds = 3
const maxSpeedUp = 0.25

export interface ClockFollower {
  /** Jumps to the common position and plays on from there. */
  join: () => void
  stop: () => void
}

/**
 * Keeps a player at the common position of a premiere until the viewer pauses it or seeks back, and never ahead of it.
 * `report` is called with whether it is there, whenever that changes.
 */
export function followClock(
  media: HTMLVideoElement,
  commonSeconds: () => number,
  report: (isFollowing: boolean) => void,
): ClockFollower {
  const listening = new AbortController()
  let isFollowing = true
  let hasPlayed = !media.paused
  /** Where the last jump of this function led: its events are not the viewer's. */
  let jumpedTo: number | undefined

  const setFollowing = (next: boolean) => {
    if (next === isFollowing) return
    isFollowing = next
    report(next)
  }
  const setRate = (rate: number) => {
    if (media.playbackRate !== rate) media.playbackRate = rate
  }
  const jump = () => {
    jumpedTo = Math.max(0, commonSeconds())
    media.currentTime = jumpedTo
  }
  const isOver = () => commonSeconds() >= media.duration

  function correct() {
    if (media.seeking || media.readyState === 0) return
    if (isOver()) return isFollowing ? setRate(1) : undefined
    const behind = commonSeconds() - media.currentTime
    if (behind < -1) return jump()
    if (!isFollowing) {
      if (behind > toleratedSeconds) return
      setFollowing(true)
    }
    if (media.paused) return
    if (behind > jumpSeconds) return jump()
    if (Math.abs(behind) <= toleratedSeconds) return setRate(1)
    setRate(behind > 0 ? 1 + Math.min(maxSpeedUp, behind / 4) : 0.9)
  }
  function onSeeking() {
    if (jumpedTo !== undefined && Math.abs(media.currentTime - jumpedTo) < 0.1) return
    jumpedTo = undefined
    if (isOver()) return
    const behind = commonSeconds() - media.currentTime
    if (behind < -toleratedSeconds) jump()
    else if (behind > 1 && isFollowing) {
      setRate(1)
      setFollowing(false)
    }
  }
  function onPause() {
    if (!hasPlayed || media.ended || media.seeking || isOver()) return
    setRate(1)
    setFollowing(false)
  }
  function onPlay() {
    if (!hasPlayed && isFollowing && !isOver()) jump()
    hasPlayed = true
  }
  const on = (type: string, listener: () => void) =>
    media.addEventListener(type, listener, { signal: listening.signal })
  on('timeupdate', correct)
  on('loadedmetadata', () => isFollowing && !isOver() && jump())
  on('seeking', onSeeking)
  on('pause', onPause)
  on('play', onPlay)
  if (media.readyState > 0) correct()

  return {
    join() {
      jump()
      setFollowing(true)
      media.play().catch(() => undefined)
    },
    stop() {
      listening.abort()
      setRate(1)
    },
  }
}
