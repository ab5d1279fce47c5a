import { t } from '@lingui/core/macro'
import { volumeAfterStep, type VolumeState } from '../state/volume-state.ts'
import { nextRate, type PlaybackState } from '../state/playback-state.ts'
import type { PlayerCommand } from './player-keys.ts'

/** Feedback text shown over the video after a keyboard command; empty where the change is visible anyway. */
export function hintOfCommand(command: PlayerCommand, before: PlaybackState): string {
  switch (command.type) {
    case 'toggle-play':
      return before.isPaused ? t`Play` : t`Pause`
    case 'seek-by':
      return hintOfSeek(command.seconds)
    case 'seek-to-share':
      return `${Math.round(command.share * 100)}%`
    case 'volume-by':
      return hintOfVolume(volumeAfterStep(before, command.step))
    case 'toggle-mute':
      return before.isMuted ? t`Unmuted` : t`Muted`
    case 'change-rate':
      return `${nextRate(before.rate, command.direction)}×`
    case 'toggle-captions':
      if (before.captions.length === 0) return t`No subtitles`
      return before.shownCaptions === null ? t`Subtitles on` : t`Subtitles off`
    case 'toggle-full-screen':
    case 'toggle-theatre':
    case 'toggle-picture-in-picture':
    case 'step-frame':
    case 'focus-search':
    case 'show-shortcuts':
    case 'next-video':
    case 'previous-video':
      return ''
  }
}

/** "+10 s", "−5 s". */
export function hintOfSeek(seconds: number): string {
  return `${seconds < 0 ? '−' : '+'}${Math.round(Math.abs(seconds))} s`
}

function hintOfVolume({ volume, isMuted }: VolumeState): string {
  return isMuted ? t`Muted` : t`Volume ${Math.round(volume * 100)}%`
}
