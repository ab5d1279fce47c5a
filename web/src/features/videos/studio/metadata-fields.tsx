import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { categoryNames, licenceNames, maxTags } from '@kinora/contract/videos/labels.ts'
import { categoryLabels } from '../../../lib/category-labels.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { categoryNamed, languageOptions, licenceNamed } from '../../../lib/metadata-choices.ts'
import { licences } from '../../../lib/video-metadata.ts'
import { Field } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import type { VideoChanges } from './api.ts'
import type { DetailsValues } from './details-draft.ts'
import styles from './metadata-fields.module.css'
import { tagsIn } from './tags.ts'

/** Tags, category, language, licence, and what others may do. */
export function MetadataFields({
  values,
  tagsError,
}: {
  values: DetailsValues
  tagsError: string | undefined
}) {
  return (
    <>
      <Field
        label={t`Tags`}
        name="tags"
        defaultValue={values.tags}
        hint={t`Up to ${maxTags}, separated by commas.`}
        error={tagsError}
      />
      <div className={styles['choices']}>
        <Select label={t`Category`} name="category" defaultValue={values.category}>
          <option value="">{t({ message: 'None', context: 'category' })}</option>
          {categoryNames.map((name) => (
            <option key={name} value={name}>
              {i18n._(categoryLabels[name])}
            </option>
          ))}
        </Select>
        <Select label={t`Spoken language`} name="language" defaultValue={values.language}>
          <option value="">{t`Not stated`}</option>
          {languageOptions(values.language || null).map(({ tag, label }) => (
            <option key={tag} value={tag}>
              {label}
            </option>
          ))}
        </Select>
        <Select label={t`Licence`} name="licence" defaultValue={values.licence}>
          <option value="">{t`All rights reserved`}</option>
          {licenceNames.map((name) => (
            <option key={name} value={name}>
              {licences[name].label}
            </option>
          ))}
        </Select>
      </div>
      <label className={styles['check']}>
        <input type="checkbox" name="commentsAllowed" defaultChecked={values.commentsAllowed === 'on'} />
        <span>{t`Allow comments`}</span>
      </label>
      <label className={styles['check']}>
        <input type="checkbox" name="commentsHeld" defaultChecked={values.commentsHeld === 'on'} />
        <span>{t`Hold new comments until I approve them`}</span>
      </label>
      <label className={styles['check']}>
        <input type="checkbox" name="downloadsAllowed" defaultChecked={values.downloadsAllowed === 'on'} />
        <span>{t`Show a link to download the file`}</span>
      </label>
    </>
  )
}

/** Reads the values of the fields. */
export function readMetadata(fields: FormData): VideoChanges {
  return {
    tags: tagsIn(textOf(fields, 'tags')),
    category: categoryNamed(textOf(fields, 'category')) ?? null,
    language: textOf(fields, 'language') || null,
    licence: licenceNamed(textOf(fields, 'licence')) ?? null,
    commentsAllowed: fields.has('commentsAllowed'),
    commentsHeld: fields.has('commentsHeld'),
    downloadsAllowed: fields.has('downloadsAllowed'),
  }
}
