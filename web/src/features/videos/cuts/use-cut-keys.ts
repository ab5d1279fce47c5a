import { useEffect, useEffectEvent } from 'react'

export type CutCommand =
  | 'mark-start'
  | 'mark-end'
  | 'remove'
  | 'keep'
  | 'restore'
  | 'clear'
  | 'undo'
  | 'redo'
  | 'frame-back'
  | 'frame-forward'
  | 'preview'

const commands = new Map<string, CutCommand>([
  ['i', 'mark-start'],
  ['o', 'mark-end'],
  ['x', 'remove'],
  ['delete', 'remove'],
  ['backspace', 'remove'],
  ['e', 'keep'],
  ['r', 'restore'],
  ['escape', 'clear'],
  [',', 'frame-back'],
  ['.', 'frame-forward'],
  ['p', 'preview'],
])

type Press = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** The command of a key press outside of text fields; undefined for keys of others. */
export function commandOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Press): CutCommand | undefined {
  const letter = key.toLowerCase()
  if (altKey) return undefined
  if (ctrlKey || metaKey) {
    if (letter === 'z') return shiftKey ? 'redo' : 'undo'
    return letter === 'y' ? 'redo' : undefined
  }
  return shiftKey ? undefined : commands.get(letter)
}

/** Runs the keys of the editor before the player sees them, which has others for I and the comma. */
export function useCutKeys(run: (command: CutCommand) => void) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || document.querySelector('dialog[open]')) return
    if (event.target instanceof Element && event.target.closest('input, textarea, select, [role="menu"]'))
      return
    const command = commandOf(event)
    if (!command) return
    event.preventDefault()
    event.stopPropagation()
    run(command)
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}
