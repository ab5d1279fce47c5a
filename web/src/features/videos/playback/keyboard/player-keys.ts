import { VOLUME_STEP } from '../state/volume-state.ts'

/** A command that a keyboard shortcut runs. */
export type PlayerCommand =
  | { type: 'toggle-play' }
  | { type: 'seek-by'; seconds: number }
  | { type: 'seek-to-share'; share: number }
  | { type: 'volume-by'; step: number }
  | { type: 'toggle-mute' }
  | { type: 'toggle-full-screen' }
  | { type: 'toggle-theatre' }
  | { type: 'toggle-captions' }
  | { type: 'toggle-picture-in-picture' }
  | { type: 'change-rate'; direction: 1 | -1 }
  | { type: 'step-frame'; direction: 1 | -1 }
  | { type: 'focus-search' }
  | { type: 'show-shortcuts' }
  | { type: 'next-video' }
  | { type: 'previous-video' }

export type KeyPress = {
  key: string
  isRepeat: boolean
  hasModifier: boolean
  hasShift: boolean
  /** Where the focus is; see `focusKindOf`. */
  focus: FocusKind
}

/**
 * `typing`: a text field, where every key is text. `dialog`: the player is inert. `control`: Space activates the element.
 * `player-control`: the same, and the vertical arrows change the volume. `player`: the vertical arrows change the volume.
 * `page`: anything else.
 */
export type FocusKind = 'typing' | 'dialog' | 'control' | 'player-control' | 'player' | 'page'

const commandByKey = new Map<string, PlayerCommand>([
  ['k', { type: 'toggle-play' }],
  ['j', { type: 'seek-by', seconds: -10 }],
  ['l', { type: 'seek-by', seconds: 10 }],
  ['arrowleft', { type: 'seek-by', seconds: -5 }],
  ['arrowright', { type: 'seek-by', seconds: 5 }],
  ['m', { type: 'toggle-mute' }],
  ['f', { type: 'toggle-full-screen' }],
  ['t', { type: 'toggle-theatre' }],
  ['c', { type: 'toggle-captions' }],
  ['i', { type: 'toggle-picture-in-picture' }],
  ['>', { type: 'change-rate', direction: 1 }],
  ['<', { type: 'change-rate', direction: -1 }],
  ['.', { type: 'step-frame', direction: 1 }],
  [',', { type: 'step-frame', direction: -1 }],
  ['/', { type: 'focus-search' }],
  ['?', { type: 'show-shortcuts' }],
])

const commandByShiftKey = new Map<string, PlayerCommand>([
  ['n', { type: 'next-video' }],
  ['p', { type: 'previous-video' }],
])

const repeatable = new Set<PlayerCommand['type']>(['seek-by', 'volume-by', 'step-frame', 'change-rate'])

/** The command of a key press, or null where another element handles the key. */
export function commandOfKey({
  key,
  isRepeat,
  hasModifier,
  hasShift,
  focus,
}: KeyPress): PlayerCommand | null {
  if (hasModifier || focus === 'typing' || focus === 'dialog') return null
  const letter = key.toLowerCase()
  const command = (hasShift && commandByShiftKey.get(letter)) || commandOf(letter, focus)
  return command && isRepeat && !repeatable.has(command.type) ? null : command
}

function commandOf(key: string, focus: FocusKind): PlayerCommand | null {
  if (/^\d$/.test(key)) return { type: 'seek-to-share', share: Number(key) / 10 }
  if (key === ' ') {
    return focus === 'control' || focus === 'player-control' ? null : { type: 'toggle-play' }
  }
  if (key === 'arrowup' || key === 'arrowdown') {
    // Outside the player the vertical arrows scroll the page.
    const isInPlayer = focus === 'player' || focus === 'player-control'
    return isInPlayer ? { type: 'volume-by', step: key === 'arrowup' ? VOLUME_STEP : -VOLUME_STEP } : null
  }
  return commandByKey.get(key) ?? null
}
