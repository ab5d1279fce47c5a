import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { commandOfKey, type FocusKind, type PlayerCommand } from './player-keys.ts'

const typingTypes = /^(?!button|checkbox|color|file|image|radio|range|reset|submit$)/

/** Runs the player's keys for the whole page, as far as they are nobody else's. */
export function usePlayerKeys(
  region: RefObject<HTMLElement | null>,
  /** What this player has no use for: the browser's own meaning stays. */
  without: readonly PlayerCommand['type'][],
  run: (command: PlayerCommand) => void,
) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    // A control that used the key itself, as the seek bar its arrows, has said so.
    if (event.defaultPrevented || event.isComposing) return
    const command = commandOfKey({
      key: event.key,
      isRepeat: event.repeat,
      hasModifier: event.ctrlKey || event.metaKey || event.altKey,
      focus: focusKindOf(event.target, region.current),
    })
    if (!command || without.includes(command.type)) return
    event.preventDefault()
    run(command)
  })
  // As soon as the player is drawn.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function focusKindOf(target: EventTarget | null, region: HTMLElement | null): FocusKind {
  if (!(target instanceof HTMLElement)) return 'page'
  if (document.querySelector('dialog[open]')) return 'dialog'
  if (isTypedInto(target)) return 'typing'
  const isInPlayer = region?.contains(target) ?? false
  if (target.closest('a, button, summary, input, [role="menu"], [role="slider"]')) {
    return isInPlayer ? 'player-control' : 'control'
  }
  return isInPlayer ? 'player' : 'page'
}

function isTypedInto(target: HTMLElement): boolean {
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true
  if (target.closest('[role="textbox"]')) return true
  return target instanceof HTMLInputElement && typingTypes.test(target.type)
}
