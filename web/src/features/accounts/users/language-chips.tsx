import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { Icon } from '../../../ui/icon.tsx'
import styles from './language-chips.module.css'

/** Chosen languages, each with a button that removes it. */
export function LanguageChips({
  names,
  onRemove,
}: {
  names: readonly { tag: string; label: string }[]
  onRemove: (tag: string) => void
}) {
  if (names.length === 0) return null
  return (
    <ul className={styles['chips']}>
      {names.map(({ tag, label }) => (
        <li key={tag}>
          <span>{label}</span>
          <button type="button" aria-label={t`Remove ${label}`} onClick={() => onRemove(tag)}>
            <Icon of={X} size={16} />
          </button>
        </li>
      ))}
    </ul>
  )
}
