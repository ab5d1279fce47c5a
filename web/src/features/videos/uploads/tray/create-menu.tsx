import { t } from '@lingui/core/macro'
import { FolderOpen, Video } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { Link } from 'react-router'
import { paths } from '../../../../paths.ts'
import { Icon } from '../../../../ui/icon.tsx'
import styles from './create-menu.module.css'
import { chooseVideos, showFiles } from './tray-files.ts'

/** Opens the browser's file dialog, and hands what is chosen to the tray. */
export const chooseFiles = () => chooseVideos(showFiles)

/** Ways to a new video, next to the button that opened it. Choosing one, Escape and leaving it close it. */
export function CreateMenu({
  button,
  place,
  onClose,
  onChoose,
}: {
  button: RefObject<HTMLButtonElement | null>
  place: Element
  onClose: () => void
  onChoose?: (() => void) | undefined
}) {
  const menu = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const list = menu.current
    if (!list || !button.current) return
    // Above dialogs, and clipped by nothing.
    list.showPopover()
    moveTo(list, button.current)
    list.querySelector('button')?.focus()
  }, [button])
  return createPortal(
    // Handles the keys of the list for every focused element inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={menu}
      role="group"
      aria-label={t`Create`}
      popover="manual"
      className={styles['menu']}
      onBlur={({ currentTarget, relatedTarget }) => {
        const isWithin = currentTarget.contains(relatedTarget) || relatedTarget === button.current
        if (!isWithin) onClose()
      }}
      onKeyDown={(event) => {
        moveWithin(event)
        if (event.key !== 'Escape' && event.key !== 'Tab') return
        // Tab goes on from the button: the menu is at the end of the page
        if (event.key === 'Escape') event.preventDefault()
        event.stopPropagation()
        button.current?.focus()
        onClose()
      }}
    >
      <button
        type="button"
        onClick={() => {
          button.current?.focus()
          onClose()
          chooseFiles()
          onChoose?.()
        }}
      >
        <Icon of={FolderOpen} />
        {t`Choose files`}
      </button>
      <Link
        to={paths.record()}
        onClick={() => {
          onClose()
          onChoose?.()
        }}
      >
        <Icon of={Video} />
        {t`Record`}
      </Link>
    </div>,
    place,
  )
}

/** Arrow keys, Home and End move the focus among the entries. */
function moveWithin(event: KeyboardEvent<HTMLElement>): void {
  const entries = [...event.currentTarget.children].filter((each) => each instanceof HTMLElement)
  const at = entries.findIndex((entry) => entry === document.activeElement)
  const target = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: -1 }[event.key]
  if (target === undefined) return
  event.preventDefault()
  entries.at(target % entries.length)?.focus()
}

const gap = 6

/** Below the button, or above it where the dock of phones is. */
function moveTo(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = menu
  const isAbove = at.bottom + gap + height > innerHeight
  const left = Math.min(Math.max(gap, at.right - width), innerWidth - width - gap)
  menu.style.left = `${left}px`
  menu.style.top = `${isAbove ? at.top - gap - height : at.bottom + gap}px`
}
