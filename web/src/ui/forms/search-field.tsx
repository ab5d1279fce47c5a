import { useEffect, useState } from 'react'
import { useDebounced } from '../../lib/browser/use-debounced.ts'
import { Field } from './field.tsx'

/** Pause in typing after which the text is searched. */
const PAUSE_MS = 300

/**
 * A search whose text is kept in the address. The address is updated after a pause in typing or when the field loses the
 * focus, so while it has the focus it shows what was typed.
 */
export function SearchField({
  label,
  text,
  onSearch,
}: {
  label: string
  /** From the address. */
  text: string
  onSearch: (text: string) => void
}) {
  const [typed, setTyped] = useState<string>()
  const settled = useDebounced(typed, PAUSE_MS)
  useEffect(() => {
    if (settled !== undefined) onSearch(settled)
    // `onSearch` is another function at each render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [settled])
  return (
    <Field
      label={label}
      type="search"
      value={typed ?? text}
      onChange={({ currentTarget: { value } }) => setTyped(value)}
      onBlur={() => {
        if (typed !== undefined && typed !== settled) onSearch(typed)
        setTyped(undefined)
      }}
    />
  )
}
