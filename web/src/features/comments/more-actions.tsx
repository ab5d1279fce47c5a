import { EllipsisVertical } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './more-actions.module.css'

/** A button that shows a list of further actions. They close it; so do Escape and leaving it. */
export function MoreActions({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  return (
    // Handles the keys of the list for every focused element inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={root}
      className={styles['root']}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
      onKeyDown={(event) => {
        if (!isOpen || event.key !== 'Escape') return
        event.stopPropagation()
        setOpen(false)
        root.current?.querySelector('button')?.focus()
      }}
    >
      <IconButton label="More actions" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon of={EllipsisVertical} size={18} />
      </IconButton>
      {isOpen && (
        // The actions inside are buttons and links, which close it when pressed.
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
        <div className={styles['list']} onClick={() => setOpen(false)}>
          {children}
        </div>
      )}
    </div>
  )
}
