import { t } from '@lingui/core/macro'
import type { DetailedOwnVideo } from '@kinora/contract/videos/studio.ts'
import { useState } from 'react'
import { Field } from '../../../ui/forms/field.tsx'
import type { DetailsValues } from './details-draft.ts'
import styles from './metadata-fields.module.css'

/** Marks a video as sensitive, with a reason. The mark of a moderator cannot be changed. */
export function SensitiveField({
  video,
  values,
  error,
}: {
  video: Pick<DetailedOwnVideo, 'sensitive'>
  values: DetailsValues
  error: string | undefined
}) {
  const [isMarked, setMarked] = useState(values.isSensitive === 'on')
  const isFixed = video.sensitive?.byModerator ?? false
  return (
    <>
      <label className={styles['check']}>
        <input
          type="checkbox"
          name="isSensitive"
          checked={isMarked}
          // a disabled field would count as changed
          onChange={({ currentTarget }) => !isFixed && setMarked(currentTarget.checked)}
          aria-disabled={isFixed}
        />
        <span>{t`Sensitive content`}</span>
      </label>
      {isMarked && (
        <Field
          label={t`What viewers should know`}
          name="sensitiveReason"
          defaultValue={values.sensitiveReason}
          maxLength={200}
          required
          readOnly={isFixed}
          hint={
            isFixed
              ? t`A moderator has set this mark. Only moderators can change it.`
              : t`Such as “Surgery” or “Flashing lights”. Pictures are blurred until a click, as each viewer has chosen.`
          }
          error={error}
        />
      )}
    </>
  )
}
