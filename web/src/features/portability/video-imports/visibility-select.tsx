import { i18n } from '@lingui/core'
import { visibilityChoices } from '../../../lib/visibility-labels.ts'
import { Select } from '../../../ui/forms/select.tsx'

/** The default comes first. */
const visibilities = ['private', 'unlisted', 'members', 'public'] as const

/** A choice of who can watch imported videos: the field `visibility` of its form. */
export function VisibilitySelect({ label }: { label: string }) {
  return (
    <Select label={label} name="visibility">
      {visibilities.map((name) => (
        <option key={name} value={name}>
          {i18n._(visibilityChoices[name])}
        </option>
      ))}
    </Select>
  )
}

/** The visibility of a form value. */
export const visibilityOf = (value: string) => visibilities.find((name) => name === value) ?? 'private'
