import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { PlayerCommand } from './player-keys.ts'

type Shortcut = {
  keys: readonly string[]
  /** `keys` holds the first and the last key of a range. */
  isRange?: true
  meaning: MessageDescriptor
  command: PlayerCommand['type']
}

/** Keyboard shortcuts in the order of the shortcuts dialog. */
export const shortcuts: readonly Shortcut[] = [
  { keys: ['Space', 'k'], meaning: msg`Play or pause`, command: 'toggle-play' },
  { keys: ['j', 'l'], meaning: msg`Back or forward 10 seconds`, command: 'seek-by' },
  { keys: ['←', '→'], meaning: msg`Back or forward 5 seconds`, command: 'seek-by' },
  { keys: ['0', '9'], isRange: true, meaning: msg`Jump to 0% to 90%`, command: 'seek-to-share' },
  { keys: [',', '.'], meaning: msg`Back or forward one frame, while paused`, command: 'step-frame' },
  { keys: ['<', '>'], meaning: msg`Slower or faster`, command: 'change-rate' },
  { keys: ['↑', '↓'], meaning: msg`Louder or quieter, in the player`, command: 'volume-by' },
  { keys: ['m'], meaning: msg`Mute`, command: 'toggle-mute' },
  { keys: ['c'], meaning: msg`Subtitles`, command: 'toggle-captions' },
  { keys: ['t'], meaning: msg`Theatre mode`, command: 'toggle-theatre' },
  { keys: ['f'], meaning: msg`Full screen`, command: 'toggle-full-screen' },
  { keys: ['i'], meaning: msg`Picture in picture`, command: 'toggle-picture-in-picture' },
  { keys: ['Shift+p', 'Shift+n'], meaning: msg`Previous or next video`, command: 'next-video' },
  { keys: ['/'], meaning: msg`Search`, command: 'focus-search' },
  { keys: ['?'], meaning: msg`Keyboard shortcuts`, command: 'show-shortcuts' },
]
