import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from './button.tsx'
import styles from './dialog.module.css'
import { Icon } from './icon.tsx'

/**
 * A modal dialog, open while mounted. The native element traps the focus and makes the page inert; closing it on
 * unmount returns the focus to the element that opened it.
 */
export function Dialog({
  title,
  onClose,
  width = 480,
  placement = 'centre',
  closesOnOutsideClick = true,
  children,
}: {
  title: string
  /** Escape, the Close button, or a press beside the dialog. */
  onClose: () => void
  width?: number
  /** `side`: along the left edge, as tall as the window. */
  placement?: 'centre' | 'side'
  /** False where an accidental click outside would discard input. */
  closesOnOutsideClick?: boolean
  children: ReactNode
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()
  const close = useEffectEvent(onClose)

  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    let isLeaving = false
    showKeepingWidth(dialog)
    // Focuses the title instead of Close, the first control; content may move the focus on.
    heading.current?.focus()
    // Browsers close on a second Escape without a `cancel` event, so the page must follow `close`.
    const follow = () => {
      // The event is asynchronous: the dialog may have been unmounted or reopened.
      if (!isLeaving && !dialog.open) close()
    }
    dialog.addEventListener('close', follow)
    return () => {
      isLeaving = true
      dialog.removeEventListener('close', follow)
      dialog.close()
    }
  }, [])

  return (
    // The native dialog is the interactive element; these listeners only observe it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      className={clsx(styles['dialog'], styles[placement])}
      style={{ '--dialog-width': `${width}px` }}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // A file picker inside bubbles its own cancel.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => {
        if (closesOnOutsideClick && event.target === event.currentTarget) onClose()
      }}
    >
      <div className={styles['body']}>
        {/* Not a <header>: inside the top bar it would be a nested banner landmark. */}
        <div className={styles['header']}>
          <h2 ref={heading} id={titleId} tabIndex={-1}>
            {title}
          </h2>
          <IconButton label={t`Close`} onClick={onClose}>
            <Icon of={X} />
          </IconButton>
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** Locks scrolling of the page and keeps its width without the scrollbar. */
function showKeepingWidth(dialog: HTMLDialogElement) {
  const root = document.documentElement
  // A dialog underneath has already locked scrolling.
  const isFirst = !document.querySelector('dialog:modal')
  const widthBefore = root.clientWidth
  dialog.showModal()
  if (isFirst) root.style.setProperty('--scrollbar', `${root.clientWidth - widthBefore}px`)
}

/** Buttons at the end of a dialog, the safe one first. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>
}
