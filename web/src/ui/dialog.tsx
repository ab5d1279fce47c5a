import { X } from 'lucide-react'
import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { classNames } from '../lib/class-names.ts'
import { IconButton } from './button.tsx'
import styles from './dialog.module.css'
import { Icon } from './icon.tsx'

/**
 * A modal over the page, open as long as it is mounted. The native element traps the focus and makes the rest inert;
 * closing it on the way out gives the focus back to what opened it.
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
  /** Off where a stray press would lose what was entered. */
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
    // Starts at the title, not at Close, which comes first; what stands inside may take the focus from there.
    heading.current?.focus()
    // A second Escape closes natively without asking; the page must follow.
    const follow = () => {
      // The event comes late: by then the dialog may be gone, or open again.
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
    // The native dialog is the widget; these listeners only hear what it is told.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      className={classNames(styles['dialog'], styles[placement])}
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
        {/* No landmark: in the top bar a header would be a banner within the banner. */}
        <div className={styles['header']}>
          <h2 ref={heading} id={titleId} tabIndex={-1}>
            {title}
          </h2>
          <IconButton label="Close" onClick={onClose}>
            <Icon of={X} />
          </IconButton>
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** The page behind cannot scroll meanwhile, and keeps the width that its scrollbar left it. */
function showKeepingWidth(dialog: HTMLDialogElement) {
  const root = document.documentElement
  // Over another dialog there is no scrollbar any more.
  const isFirst = !document.querySelector('dialog:modal')
  const widthBefore = root.clientWidth
  dialog.showModal()
  if (isFirst) root.style.setProperty('--scrollbar', `${root.clientWidth - widthBefore}px`)
}

/** Buttons at the end of a dialog, the safe one first. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>
}
