import { t } from '@lingui/core/macro'
import { clsx } from 'clsx'
import { EllipsisVertical } from 'lucide-react'
import { type ReactNode, type RefObject, useState } from 'react'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './more-actions.module.css'

/**
 * A button that shows a list of further actions. They close it; so do Escape and leaving it. A toggle (`aria-pressed`)
 * keeps it open, so that its new state shows.
 */
export function MoreActions({
  ref,
  label = t`More actions`,
  describedBy,
  className,
  children,
}: {
  /** The button. */
  ref: RefObject<HTMLButtonElement | null>
  label?: string
  /** Id of the element that says of what. */
  describedBy?: string | undefined
  className?: string | undefined
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    // Handles the keys of the list for every focused element inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={clsx(styles['root'], className)}
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
      <IconButton
        ref={ref}
        label={label}
        aria-describedby={describedBy}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon of={EllipsisVertical} size={18} />
      </IconButton>
      {isOpen && (
        // The actions inside are buttons and links, which close it when pressed.
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
        <div
          className={styles['list']}
          onClick={({ target }) => {
            if (target instanceof Element && target.closest('[aria-pressed]')) return
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
