import { t } from '@lingui/core/macro'
import { type FileFormat, fileFormats, formatDetails } from '@kinora/contract/videos/file-formats.ts'
import { FieldNotes, useFieldIds } from '../../../../ui/forms/field.tsx'
import styles from './settings-form.module.css'

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
  const ids = useFieldIds(undefined, error, hint)
  return (
    <fieldset className={styles['group']} aria-describedby={ids.describedBy}>
      <legend>{t`Accepted video files`}</legend>
      <FieldNotes ids={ids} error={error} hint={hint} />
      <div className={styles['formats']}>
        {fileFormats.map((format) => (
          <label key={format} className={styles['check']}>
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
      </div>
    </fieldset>
  )
}
