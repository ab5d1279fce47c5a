import type { Player } from '../state/player.ts'
import type { PlayerCommand } from './player-keys.ts'

/** Runs a command of the player itself; those of the page around it do nothing here. */
export function runPlayerCommand(command: PlayerCommand, player: Player, durationSeconds: number) {
  switch (command.type) {
    case 'toggle-play':
      return player.togglePlay()
    case 'seek-by':
      return player.seekBy(command.seconds)
    case 'seek-to-share':
      return player.seekTo(command.share * durationSeconds)
    case 'volume-by':
      return player.changeVolume(command.step)
    case 'toggle-mute':
      return player.toggleMute()
    case 'toggle-full-screen':
      return player.toggleFullScreen()
    case 'toggle-captions':
      return player.toggleCaptions()
    case 'toggle-picture-in-picture':
      return player.togglePictureInPicture()
    case 'change-rate':
      return player.changeRate(command.direction)
    case 'step-frame':
      return player.stepFrame(command.direction)
    case 'focus-search':
    case 'show-shortcuts':
    case 'toggle-theatre':
    case 'next-video':
    case 'previous-video':
  }
}
