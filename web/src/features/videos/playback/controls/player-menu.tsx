import { t } from '@lingui/core/macro'
import { Check, ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { pageDirection } from '../../../../lib/i18n/language.ts'
import { Icon } from '../../../../ui/icon.tsx'
import type { MenuChoice, MenuEntry } from './settings-entries.ts'
import styles from './player-menu.module.css'

const [backKey, openKey] = pageDirection === 'rtl' ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight']

/** A player button that opens a menu of settings, whose lists of choices open in its place. */
export function PlayerMenu({
  label,
  face,
  entries,
  onHold,
}: {
  label: string
  face: ReactNode
  entries: readonly MenuEntry[]
  /** Keeps the controls on the screen as long as the menu is open. */
  onHold: (isHeld: boolean) => void
}) {
  const [isOpen, setOpen] = useState(false)
  /** Label of the entry whose choices are shown. */
  const [openLabel, setOpenLabel] = useState<string>()
  /** Label of the entry that gets the focus when its choices close. */
  const [leftLabel, setLeftLabel] = useState<string>()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const menuId = useId()
  const hold = useEffectEvent(onHold)
  const closeFromOutside = useEffectEvent(close)
  const opened = entries.find((entry) => entry.type === 'choices' && entry.label === openLabel)
  const choices = opened?.type === 'choices' ? opened.choices : undefined
  const heading = opened?.label ?? label

  useEffect(() => {
    const element = root.current
    if (!isOpen || !element) return
    hold(true)
    element.querySelector<HTMLElement>('[popover]')?.showPopover()
    const onOutside = (event: Event) => {
      if (!element.contains(event.target as Node)) closeFromOutside()
    }
    document.addEventListener('pointerdown', onOutside, true)
    return () => {
      document.removeEventListener('pointerdown', onOutside, true)
      hold(false)
    }
  }, [isOpen])

  const isShowingChoices = choices !== undefined
  const focusItem = useEffectEvent((isChoice: boolean) => {
    const items = itemsOf(root.current)
    const current = isChoice
      ? items.find((item) => item.getAttribute('aria-checked') === 'true')
      : items.find((item) => item.dataset['label'] === leftLabel)
    const target = current ?? items[0]
    target?.focus({ preventScroll: true })
    if (target) centre(target)
  })
  useEffect(() => {
    if (isOpen) focusItem(isShowingChoices)
  }, [isOpen, isShowingChoices])

  function close() {
    setOpen(false)
    setOpenLabel(undefined)
    setLeftLabel(undefined)
  }

  function leave() {
    close()
    button.current?.focus()
  }

  function goBack() {
    setLeftLabel(openLabel)
    setOpenLabel(undefined)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen) return
    const items = itemsOf(root.current)
    const focused = document.activeElement as HTMLElement
    const at = items.indexOf(focused)
    const target =
      { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key] ??
      nextStartingWith(
        event.ctrlKey || event.metaKey || event.altKey ? '' : event.key,
        items.map(({ textContent }) => textContent),
        at,
      )
    if (event.key === 'Tab') return close()
    // Keeps the player's keyboard shortcuts inactive while a menu is open.
    event.stopPropagation()
    const act =
      target !== undefined
        ? () => items[(target + items.length) % items.length]?.focus()
        : event.key === 'Escape'
          ? leave
          : event.key === backKey && isShowingChoices
            ? goBack
            : event.key === openKey && focused.ariaHasPopup === 'menu'
              ? () => focused.click()
              : undefined
    if (!act) return
    event.preventDefault()
    act()
  }

  return (
    // Handles the keys of the menu for every focused element inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={root} className={styles['root']} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        className={styles['button']}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        title={label}
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        {face}
      </button>
      {isOpen && (
        <Place heading={heading} onLeave={leave}>
          <div className={styles['menu']} dir={pageDirection} id={menuId} role="menu" aria-label={heading}>
            {choices && (
              <button type="button" role="menuitem" className={styles['back']} tabIndex={-1} onClick={goBack}>
                <Icon of={ChevronLeft} size={18} />
                {t`All settings`}
              </button>
            )}
            {choices
              ? choices.map((choice, index) => (
                  // Labels may repeat, for example of two tracks of one language.
                  <ChoiceItem key={index} choice={choice} onChosen={leave} />
                ))
              : entries.map((entry) => (
                  <EntryItem key={entry.label} entry={entry} onOpen={() => setOpenLabel(entry.label)} />
                ))}
          </div>
        </Place>
      )}
    </div>
  )
}

function ChoiceItem({ choice, onChosen }: { choice: MenuChoice; onChosen: () => void }) {
  const { label, note, isChosen, choose } = choice
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={isChosen}
      tabIndex={-1}
      onClick={() => {
        choose()
        onChosen()
      }}
    >
      <span className={styles['tick']}>{isChosen && <Icon of={Check} size={18} />}</span>
      {label}
      {note && <small>{note}</small>}
    </button>
  )
}

function EntryItem({ entry, onOpen }: { entry: MenuEntry; onOpen: () => void }) {
  if (entry.type === 'choices') {
    return (
      <button
        type="button"
        role="menuitem"
        aria-haspopup="menu"
        data-label={entry.label}
        tabIndex={-1}
        onClick={onOpen}
      >
        {entry.label}
        <small>{entry.value}</small>
        <Icon of={ChevronRight} size={18} />
      </button>
    )
  }
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      aria-checked={entry.isOn}
      data-label={entry.label}
      tabIndex={-1}
      onClick={entry.toggle}
    >
      {entry.label}
      {/* aria-checked says it already. */}
      <small aria-hidden="true">{entry.isOn ? t`On` : t`Off`}</small>
    </button>
  )
}

const itemsOf = (root: HTMLElement | null) => [
  ...(root?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? []),
]

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
      <div className={styles['panel']} dir={pageDirection}>
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
