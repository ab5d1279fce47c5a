import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { commandOfKey, type FocusKind, type PlayerCommand } from './player-keys.ts'

const typingTypes = /^(?!button|checkbox|color|file|image|radio|range|reset|submit$)/

/** Handles the player's keyboard shortcuts for the whole page, unless another element uses the key. */
export function usePlayerKeys(
  region: RefObject<HTMLElement | null>,
  /** Commands that this player does not support. Their keys keep the browser's default action. */
  without: readonly PlayerCommand['type'][],
  run: (command: PlayerCommand) => void,
) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    // Controls that handle a key, such as the seek bar its arrows, prevent the default action.
    if (event.defaultPrevented || event.isComposing) return
    const command = commandOfKey({
      key: event.key,
      isRepeat: event.repeat,
      hasShift: event.shiftKey,
      hasModifier: event.ctrlKey || event.metaKey || event.altKey,
      focus: focusKindOf(event.target, region.current),
    })
    if (!command || without.includes(command.type)) return
    event.preventDefault()
    run(command)
  })
  // A layout effect, so that the keys work from the first paint on.
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
