import { t } from '@lingui/core/macro'
import { type FileFormat, fileFormats } from '@kinora/contract/videos/file-formats.ts'
import { formatDetails } from '@kinora/contract/videos/format-details.ts'
import { CheckGroup } from '../../../../ui/forms/check-group.tsx'

const fieldName = 'acceptedContainers'

/** The values of `FormatFields`. */
export const readFormats = (fields: FormData): FileFormat[] =>
  fileFormats.filter((format) => fields.getAll(fieldName).includes(format))

/** Formats of video files that people may upload. */
export function FormatFields({
  initial,
  disabled,
  error,
  hint = t`iPhones, Macs and most cameras write QuickTime (MOV). Files of other formats are refused.`,
}: {
  initial: readonly FileFormat[]
  disabled: boolean
  error: string | undefined
  hint?: string | undefined
}) {
  return (
    <CheckGroup legend={t`Accepted video files`} error={error} hint={hint} hasColumns>
      {fileFormats.map((format) => (
        <label key={format}>
          <input
            type="checkbox"
            name={fieldName}
            value={format}
            defaultChecked={initial.includes(format)}
            disabled={disabled}
          />{' '}
          {formatDetails[format].name}
        </label>
      ))}
    </CheckGroup>
  )
}
