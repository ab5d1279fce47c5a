import { useEffect, useEffectEvent, useState } from 'react'
import { type Ranges, skipFrom, snapToFrame } from './ranges.ts'

/** The functions of the player that the editor uses. */
export type CutPlayer = {
  play: () => void
  pause: () => void
  seekTo: (seconds: number) => void
  currentSeconds: () => number
  isPaused: () => boolean
  /** Calls `listener` whenever the position may have changed, until the returned function is called. */
  onTime: (listener: () => void) => () => void
}

export type FrameRate = { framesPerSecond: number; durationSeconds: number }

/** A little later than the beginning of a frame: exactly at it, browsers may show the one before. */
const INTO_FRAME_SECONDS = 0.001

/** The beginning of the frame that is shown at a time; the end of the video is a place of its own. */
export function frameAt(seconds: number, rate: FrameRate): number {
  if (seconds >= rate.durationSeconds - INTO_FRAME_SECONDS) return rate.durationSeconds
  const frame = Math.floor((seconds + INTO_FRAME_SECONDS) * rate.framesPerSecond) / rate.framesPerSecond
  return snapToFrame(frame, rate)
}

/** The position of a player as a frame, and what moves it. */
export function usePosition(player: CutPlayer, rate: FrameRate) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    return player.onTime(() => setSeconds(player.currentSeconds()))
  }, [player])
  const position = frameAt(seconds, rate)
  const seekTo = (wanted: number) => {
    const frame = Math.min(rate.durationSeconds, Math.max(0, wanted))
    // an element without a stream fires no event
    setSeconds(frame)
    player.seekTo(frame < rate.durationSeconds ? frame + INTO_FRAME_SECONDS : frame)
  }
  return {
    position,
    seekTo,
    /** Pauses, and shows a frame some frames away. */
    step: (frames: number) => {
      player.pause()
      seekTo(snapToFrame(frameAt(player.currentSeconds(), rate) + frames / rate.framesPerSecond, rate))
    },
  }
}

/** Playback that leaves out what is removed, while it is on. */
export function usePreview(player: CutPlayer, removed: Ranges, seekTo: (seconds: number) => void) {
  const [isOn, setOn] = useState(false)
  const skip = useEffectEvent(() => {
    if (player.isPaused()) return
    const next = skipFrom(removed, player.currentSeconds())
    if (next !== undefined) seekTo(next)
  })
  useEffect(() => {
    if (!isOn) return
    let frame = 0
    const look = () => {
      skip()
      frame = requestAnimationFrame(look)
    }
    frame = requestAnimationFrame(look)
    return () => cancelAnimationFrame(frame)
  }, [isOn])
  return {
    isOn,
    begin: (fromSeconds: number) => {
      setOn(true)
      seekTo(skipFrom(removed, fromSeconds) ?? fromSeconds)
      player.play()
    },
    end: () => {
      setOn(false)
      player.pause()
    },
  }
}
