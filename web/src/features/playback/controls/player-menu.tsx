import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import styles from './player-menu.module.css'

export type MenuChoice<Value> = { value: Value; label: string; note?: string | undefined }

/** A player button that opens a menu of exclusive choices. */
export function PlayerMenu<Value extends string | number | null>({
  label,
  face,
  choices,
  chosen,
  onChoose,
  onHold,
  isOn = false,
  className,
}: {
  /** Accessible name of the button. The part before the comma is also the heading of the menu. */
  label: string
  face: ReactNode
  choices: readonly MenuChoice<Value>[]
  chosen: Value
  onChoose: (value: Value) => void
  /** Keeps the controls on the screen as long as the menu is open. */
  onHold: (isHeld: boolean) => void
  /** Marks the button as active. */
  isOn?: boolean
  className?: string | undefined
}) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const menuId = useId()
  const hold = useEffectEvent(onHold)
  const heading = label.replace(/,.*/, '')

  useEffect(() => {
    const element = root.current
    if (!isOpen || !element) return
    hold(true)
    element.querySelector<HTMLElement>('[popover]')?.showPopover()
    const items = [...element.querySelectorAll<HTMLElement>('[role="menuitemradio"]')]
    const current = items.find((item) => item.getAttribute('aria-checked') === 'true') ?? items[0]
    current?.focus({ preventScroll: true })
    if (current) centre(current)
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
    const target =
      { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key] ??
      nextStartingWith(
        event.ctrlKey || event.metaKey || event.altKey ? '' : event.key,
        items.map(({ textContent }) => textContent),
        at,
      )
    if (event.key === 'Tab') return setOpen(false)
    // Keeps the player's keyboard shortcuts inactive while a menu is open.
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
    // Handles the keys of the menu for every focused element inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={root} className={clsx(styles['root'], className)} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        className={clsx(styles['button'], isOn && styles['on'])}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {face}
      </button>
      {isOpen && (
        <Place heading={heading} onLeave={close}>
          <div className={styles['menu']} id={menuId} role="menu" aria-label={heading}>
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
        </Place>
      )}
    </div>
  )
}

/**
 * Position of the menu: above its button, or a sheet at the bottom of narrow touch screens, where the player is too small
 * for a menu.
 */
function Place({
  heading,
  onLeave,
  children,
}: {
  heading: string
  onLeave: () => void
  children: ReactNode
}) {
  const [isSheet] = useState(
    () =>
      'popover' in HTMLElement.prototype && matchMedia('(max-width: 639px) and (pointer: coarse)').matches,
  )
  if (!isSheet) return children
  return (
    <div
      className={styles['sheet']}
      popover="manual"
      role="presentation"
      onClick={(event) => {
        if (event.target === event.currentTarget) onLeave()
      }}
    >
      <div className={styles['panel']}>
        <p aria-hidden="true">{heading}</p>
        {children}
      </div>
    </div>
  )
}

/** Index of the next name after `at`, from the top again, that starts with a typed character. */
function nextStartingWith(typed: string, names: readonly string[], at: number): number | undefined {
  const start = typed.trim().toLowerCase()
  if (start.length !== 1) return undefined
  const order = names.map((_, index) => (at + 1 + index) % names.length)
  return order.find((index) => names[index]?.trim().toLowerCase().startsWith(start))
}

/** Scrolls the menu, never the page, until the choice is in its middle. */
function centre(choice: HTMLElement): void {
  const list = choice.parentElement
  if (list) list.scrollTop = choice.offsetTop - (list.clientHeight - choice.offsetHeight) / 2
}
