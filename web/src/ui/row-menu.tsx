import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { Link } from 'react-router'
import { MoreActions } from './more-actions.tsx'

/** An entry of a menu: what it does, or where it leads. */
export type RowMenuAction = { label: string; isDangerous?: boolean } & (
  { onSelect: () => void; to?: undefined } | { to: string; onSelect?: undefined }
)

/** The actions of one row in a menu, whose button names the row. Without actions there is no button. */
export function RowMenu({ of: name, actions }: { of: string; actions: readonly RowMenuAction[] }) {
  const button = useRef<HTMLButtonElement>(null)
  if (actions.length === 0) return null
  return (
    <MoreActions ref={button} label={t`More actions: ${name}`}>
      {actions.map(({ label, isDangerous, onSelect, to }) =>
        to === undefined ? (
          <button key={label} type="button" data-dangerous={isDangerous || undefined} onClick={onSelect}>
            {label}
          </button>
        ) : (
          <Link key={label} to={to}>
            {label}
          </Link>
        ),
      )}
    </MoreActions>
  )
}
