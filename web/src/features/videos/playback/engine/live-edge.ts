import type Hls from 'hls.js'

/** The end of a live stream, as somebody watches it. */
export interface LiveEdge {
  /** Whether playback is at the target distance from the end, or closer. */
  isNear: () => boolean
  /** Continues at the target distance. */
  join: () => void
}

/** Distances vary with the arrival of parts. */
const SLACK_SECONDS = 2
/** Viewers who are late play faster until they are at the target distance, or jump there if they are later than this. */
const CATCH_UP_RATE = 1.1
const JUMP_SECONDS = 8
/** Elements round their position, which must not be before the first frame. */
const FIRST_SECONDS = 0.1
/** Catching up ends this close to the target distance. */
const CAUGHT_UP_SECONDS = 0.2

const edges = new WeakMap<HTMLVideoElement, LiveEdge>()

/** Distances in players that do not say which one they keep. */
const NATIVE_SECONDS = 6
const MAX_NATIVE_SECONDS = 12

/** The end of the live stream that an element plays. */
export function liveEdgeOf(video: HTMLVideoElement): LiveEdge {
  const end = () => (video.seekable.length > 0 ? video.seekable.end(video.seekable.length - 1) : 0)
  return (
    edges.get(video) ?? {
      isNear: () => end() - video.currentTime <= MAX_NATIVE_SECONDS,
      join() {
        video.currentTime = end() - NATIVE_SECONDS
        video.play().catch(() => undefined)
      },
    }
  )
}

/**
 * Keeps viewers of a live stream at the target distance from its end, until they pause it, rewind or play it slower. The
 * speed of those who play it faster is theirs. `onJoin` is called when they want to return there, before the playlists are
 * loaded again. Returns a function that moves playback without ending that.
 */
export function keepNear(
  stream: Hls,
  { Events }: typeof Hls,
  video: HTMLVideoElement,
  onJoin: () => void,
): (seconds: number) => void {
  const closed = new AbortController()
  const { config } = stream
  const isSlow = () => video.playbackRate < 1
  let isFollowing = !isSlow()
  let lastSeconds = 0
  let isReopened = false
  let isJoining = false

  const targetDistance = () => stream.targetLatency ?? 0
  const endSeconds = () => stream.latestLevelDetails?.edge ?? 0
  const distance = () => endSeconds() - video.currentTime
  const isNear = () => distance() <= targetDistance() + SLACK_SECONDS
  const isPlaying = () => !video.paused && !video.seeking && video.played.length > 0
  const on = (name: string, handle: () => void) =>
    video.addEventListener(name, handle, { signal: closed.signal })

  /** The library changes the rate where it follows closely, and does not reset it. */
  function setCatchUp(isLate: boolean) {
    const isOwnRate = isSlow() || video.playbackRate > CATCH_UP_RATE
    config.maxLiveSyncPlaybackRate = isLate && !isOwnRate ? CATCH_UP_RATE : 1
    if (!isLate && !isOwnRate) video.playbackRate = 1
  }

  function setFollowing(next: boolean) {
    isFollowing = next
    stream.lowLatencyMode = next
    if (!next) setCatchUp(false)
  }

  const moveToTarget = () => (video.currentTime = Math.max(0, endSeconds() - targetDistance()))

  on('timeupdate', () => {
    if (!isPlaying()) return
    lastSeconds = video.currentTime
    isReopened = false
    if (!isFollowing && !isSlow() && isNear()) setFollowing(true)
    if (!isFollowing) return
    if (!isNear()) setCatchUp(true)
    else if (stream.latency <= targetDistance() + CAUGHT_UP_SECONDS) setCatchUp(false)
  })
  // the player opens the stream again after a failure, where it was
  on('emptied', () => (isReopened = lastSeconds > 0))
  on('seeking', () => {
    // hls.js 1.7 would load from where playback began: a stream that was interrupted begins some frames after 0
    const firstSeconds = stream.latestLevelDetails?.fragmentStart ?? 0
    if (video.currentTime < firstSeconds) video.currentTime = firstSeconds + FIRST_SECONDS
    const isBack = !isReopened && (video.currentTime < lastSeconds || video.played.length === 0)
    if (isBack && !isNear()) setFollowing(false)
    else if (isNear() && !isSlow()) setFollowing(true)
  })
  on('pause', () => setFollowing(false))
  on('ratechange', () => {
    if (isSlow()) setFollowing(false)
    else if (video.playbackRate > CATCH_UP_RATE) setCatchUp(false)
  })
  stream.on(Events.LEVEL_UPDATED, (_event, { details }) => {
    if (!details.live) return setFollowing(false)
    // the library takes multiples of the target duration, which is the same for streams whose parts come more often
    if (details.startTimeOffset) config.liveSyncDuration = -details.startTimeOffset
    const isLate = isFollowing && isPlaying() && distance() > targetDistance() + JUMP_SECONDS
    if (isJoining || isLate) moveToTarget()
    isJoining = false
  })
  edges.set(video, {
    isNear,
    join() {
      isJoining = true
      // removes what stalls have added
      stream.targetLatency = config.liveSyncDuration ?? targetDistance()
      setFollowing(!isSlow())
      if (isFollowing) onJoin()
      // those of viewers far from the end are old
      for (const { details } of [...stream.levels, ...stream.allAudioTracks])
        if (details) details.requestScheduled = 0
      stream.stopLoad()
      stream.startLoad(-1, true)
      video.play().catch(() => undefined)
    },
  })
  stream.once(Events.DESTROYING, () => {
    closed.abort()
    edges.delete(video)
  })
  // for the player itself, which does not rewind for the viewer
  return (seconds) => {
    video.currentTime = seconds
    lastSeconds = video.currentTime
  }
}
