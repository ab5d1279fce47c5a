import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Select } from '../../ui/forms/select.tsx'

/** The default comes first. */
const visibilities = [
  ['private', msg`Private: only you`],
  ['unlisted', msg`Unlisted: everybody with the link`],
  ['members', msg`Members only: people who are signed in`],
  ['public', msg`Public: everybody`],
] as const

/** Short names of visibilities. */
export const visibilityNames = {
  private: msg`Private`,
  unlisted: msg`Unlisted`,
  members: msg`Members only`,
  public: msg`Public`,
}

/** A choice of who can watch imported videos: the field `visibility` of its form. */
export function VisibilitySelect({ label }: { label: string }) {
  return (
    <Select label={label} name="visibility">
      {visibilities.map(([name, text]) => (
        <option key={name} value={name}>
          {i18n._(text)}
        </option>
      ))}
    </Select>
  )
}

/** The visibility of a form value. */
export const visibilityOf = (value: string) => visibilities.find(([name]) => name === value)?.[0] ?? 'private'
