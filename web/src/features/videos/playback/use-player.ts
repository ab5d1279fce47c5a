import { type RefObject, useMemo } from 'react'
import { chooseCaptions, toggleCaptions } from './engine/caption-tracks.ts'
import { toggleFullScreen } from './engine/full-screen.ts'
import { togglePictureInPicture } from './engine/picture-in-picture.ts'
import { clampSeconds, nextRate, type PlaybackEvent } from './state/playback-state.ts'
import type { Player } from './state/player.ts'
import { savePreferences } from './state/preferences.ts'
import { volumeAfterStep, volumeAt, type VolumeState } from './state/volume-state.ts'
import type { StreamAccess } from './use-stream.ts'

/** The commands of a player. They act on the element and its stream, whose events then update the state. */
export function usePlayer(
  video: RefObject<HTMLVideoElement | null>,
  region: RefObject<HTMLElement | null>,
  { stream, open, reopen }: StreamAccess,
  report: (event: PlaybackEvent) => void,
): Player {
  return useMemo<Player>(() => {
    const act = (action: (element: HTMLVideoElement) => void) => () => {
      if (video.current) action(video.current)
    }
    const play = act((element) => {
      open()
      // Refused or interrupted: the element's events update the state.
      if (element.readyState > 0 || element.src) element.play().catch(() => undefined)
    })
    const seekTo = (seconds: number) =>
      act((element) => {
        // Before the duration is known, the element uses this as its start position.
        const isKnown = !Number.isNaN(element.duration)
        const wasEnded = element.ended
        element.currentTime = clampSeconds(seconds, isKnown ? element.duration : Infinity)
        if (!isKnown) report({ type: 'time', seconds: element.currentTime })
        // Seeking back from the end resumes playback.
        if (wasEnded) play()
      })()
    const changeVolumeState = (choose: (before: VolumeState) => VolumeState) =>
      act((element) => {
        const before = { volume: element.volume, isMuted: element.muted }
        const next = choose(before)
        // Does not save a mute that the browser applied.
        if (next === before) return
        element.volume = next.volume
        element.muted = next.isMuted
        savePreferences(next)
      })()
    const setRate = (rate: number) =>
      act((element) => {
        element.playbackRate = rate
        savePreferences({ rate })
      })()
    return {
      play,
      pause: act((element) => element.pause()),
      togglePlay: act((element) => (element.paused || element.ended ? play() : element.pause())),
      seekTo,
      seekBy: (seconds) => seekTo((video.current?.currentTime ?? 0) + seconds),
      setVolume: (asked, previousVolume) =>
        changeVolumeState(({ volume }) => volumeAt(asked, previousVolume ?? volume)),
      setTemporaryVolume: (asked) =>
        act((element) => {
          const { volume, isMuted } = volumeAt(asked, element.volume)
          element.volume = volume
          element.muted = isMuted
        })(),
      changeVolume: (step) => changeVolumeState((before) => volumeAfterStep(before, step)),
      toggleMute: () => changeVolumeState(({ volume, isMuted }) => ({ volume, isMuted: !isMuted })),
      setRate,
      changeRate: (direction) => act((element) => setRate(nextRate(element.playbackRate, direction)))(),
      setTemporaryRate: (rate) =>
        act((element) => {
          element.playbackRate = rate
        })(),
      setLoop: (isOn) =>
        act((element) => {
          element.loop = isOn
          report({ type: 'loop', isOn })
        })(),
      stepFrame: (direction) =>
        act((element) => {
          if (!element.paused) return
          const frameSeconds = stream.current?.frameSeconds() ?? 1 / 25
          element.currentTime = clampSeconds(element.currentTime + direction * frameSeconds, element.duration)
        })(),
      chooseRendition: (index) => stream.current?.chooseRendition(index),
      chooseAudioTrack: (index) => stream.current?.chooseAudioTrack(index),
      setDataSaver: (isOn) => {
        savePreferences({ savesData: isOn })
        stream.current?.updateCapping()
      },
      toggleCaptions: act((element) => toggleCaptions(element, report)),
      chooseCaptions: (index) => act((element) => chooseCaptions(element, index, report))(),
      togglePictureInPicture: act((element) => void togglePictureInPicture(element)),
      toggleFullScreen: act((element) => void toggleFullScreen(region.current, element)),
      retry: reopen,
      readStats: (read) => (video.current ? read(video.current, stream.current) : undefined),
      currentSeconds: () => video.current?.currentTime ?? 0,
      currentState: () =>
        video.current
          ? {
              isPaused: video.current.paused,
              volume: video.current.volume,
              isMuted: video.current.muted,
              rate: video.current.playbackRate,
            }
          : undefined,
    }
  }, [video, region, stream, open, reopen, report])
}
