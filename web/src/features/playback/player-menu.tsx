import { Check } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './player-menu.module.css'

export type MenuChoice<Value> = { value: Value; label: string; note?: string | undefined }

/** A button in the player that opens a list to choose one thing from. */
export function PlayerMenu<Value extends string | number | null>({
  label,
  face,
  choices,
  chosen,
  onChoose,
  onHold,
  className,
}: {
  /** The accessible name; also the heading of the list, up to a comma. */
  label: string
  face: ReactNode
  choices: readonly MenuChoice<Value>[]
  chosen: Value
  onChoose: (value: Value) => void
  /** Keeps the controls on the screen as long as the menu is open. */
  onHold: (isHeld: boolean) => void
  className?: string | undefined
}) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const menuId = useId()
  const hold = useEffectEvent(onHold)

  useEffect(() => {
    const element = root.current
    if (!isOpen || !element) return
    hold(true)
    const items = [...element.querySelectorAll<HTMLElement>('[role="menuitemradio"]')]
    const current = items.find((item) => item.getAttribute('aria-checked') === 'true') ?? items[0]
    current?.focus()
    const onOutside = (event: Event) => {
      if (!element.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', onOutside, true)
    return () => {
      document.removeEventListener('pointerdown', onOutside, true)
      hold(false)
    }
  }, [isOpen])

  function close() {
    setOpen(false)
    button.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen) return
    const items = [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitemradio"]') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
    if (event.key === 'Tab') return setOpen(false)
    // No key reaches the player behind while a menu is open.
    event.stopPropagation()
    if (event.key === 'Escape') {
      event.preventDefault()
      close()
    } else if (target !== undefined) {
      event.preventDefault()
      items[(target + items.length) % items.length]?.focus()
    }
  }

  return (
    // The list's own keys, wherever in it the focus is.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={root} className={classNames(styles['root'], className)} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        className={styles['button']}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {face}
      </button>
      {isOpen && (
        <div className={styles['menu']} id={menuId} role="menu" aria-label={label.replace(/,.*/, '')}>
          {choices.map(({ value, label: name, note }) => (
            <button
              key={String(value)}
              type="button"
              role="menuitemradio"
              aria-checked={value === chosen}
              tabIndex={-1}
              onClick={() => {
                onChoose(value)
                close()
              }}
            >
              <span className={styles['tick']}>{value === chosen && <Icon of={Check} size={18} />}</span>
              {name}
              {note && <small>{note}</small>}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
