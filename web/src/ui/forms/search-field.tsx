import { useState } from 'react'
import { Field } from './field.tsx'

/**
 * A search whose text is kept in the address. The router may update the address later than the next key, so while the field
 * has the focus it shows what was typed.
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
  return (
    <Field
      label={label}
      type="search"
      value={typed ?? text}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        onSearch(value)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
