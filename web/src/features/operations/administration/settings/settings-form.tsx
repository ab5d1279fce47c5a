import { t } from '@lingui/core/macro'
import type { SiteSettings, SiteSettingsChanges } from '@kinora/contract/operations/site.ts'
import { type FormEvent, useState } from 'react'
import { failureMessage } from '../../../../lib/forms/failure-message.ts'
import { fieldErrors } from '../../../../lib/forms/field-errors.ts'
import { focusFirstInvalid } from '../../../../lib/forms/focus-first-invalid.ts'
import { Button } from '../../../../ui/button.tsx'
import { Alert } from '../../../../ui/feedback/alert.tsx'
import { type SectionName, sectionOf } from './sections.tsx'
import styles from './settings-form.module.css'
import { changesOf, settingProps } from './site-fields.tsx'

/** Edits a section of the settings of a site. Settings of the environment cannot be changed. */
export function SettingsForm({
  section,
  settings,
  fixed,
  error,
  isPending,
  isSaved,
  onEdit,
  onSave,
}: {
  section: SectionName
  settings: SiteSettings
  fixed: readonly string[]
  /** Of the last attempt. */
  error: unknown
  isPending: boolean
  /** Whether what is shown is saved, and not edited since. */
  isSaved: boolean
  onEdit: () => void
  onSave: (changes: SiteSettingsChanges) => Promise<unknown>
}) {
  /** As when the form was opened or last saved. Others may have changed them since: only changes of this form are sent. */
  const [initial, setInitial] = useState(settings)
  const setting = settingProps(error, fixed)
  const { form: parts } = sectionOf(section)
  if (!parts) return null
  const { Fields, read } = parts

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isPending) return
    const form = event.currentTarget
    // A form reads such a field as empty, which would be saved as unlimited or as 0. The server checks the rest.
    const isUnreadable = (field: Element): field is HTMLInputElement =>
      field instanceof HTMLInputElement && (field.validity.badInput || field.validity.valueMissing)
    const unreadable = [...form.elements].find(isUnreadable)
    if (unreadable) return unreadable.reportValidity()
    const all = { ...initial, ...read(new FormData(form)) }
    const changes: SiteSettingsChanges = changesOf(all, initial, fixed)
    if (Object.keys(changes).length === 0) return
    const saved = onSave(changes).then(() => setInitial(all))
    saved.catch((failure: unknown) => focusFirstInvalid(form, fieldErrors(failure)))
  }

  return (
    <form className={styles['form']} onSubmit={submit} onChange={() => isSaved && onEdit()} noValidate>
      <Fields initial={initial} setting={setting} fixed={fixed} />
      {error !== null && <Alert>{failureMessage(error)}</Alert>}
      <p className={styles['save']}>
        <Button type="submit" variant="solid" disabled={isPending}>{t`Save`}</Button>
        <span role="status">{isSaved && t`Saved.`}</span>
      </p>
    </form>
  )
}
