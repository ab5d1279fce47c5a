import { t } from '@lingui/core/macro'
import { EllipsisVertical } from 'lucide-react'
import { type ReactNode, type RefObject, useState } from 'react'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './more-actions.module.css'

/** A button that shows a list of further actions. They close it; so do Escape and leaving it. */
export function MoreActions({
  ref,
  children,
}: {
  /** The button. */
  ref: RefObject<HTMLButtonElement | null>
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    // Handles the keys of the list for every focused element inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={styles['root']}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
      onKeyDown={(event) => {
        if (!isOpen || event.key !== 'Escape') return
        event.stopPropagation()
        setOpen(false)
        ref.current?.focus()
      }}
    >
      <IconButton ref={ref} label={t`More actions`} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon of={EllipsisVertical} size={18} />
      </IconButton>
      {isOpen && (
        // The actions inside are buttons and links, which close it when pressed.
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
        <div
          className={styles['list']}
          onClick={() => {
            setOpen(false)
            ref.current?.focus()
          }}
        >
          {children}
        </div>
      )}
    </div>
  )
}
