import type { SiteSettings, SiteSettingsChanges } from '@kinora/contract/operations/site.ts'
import { useState } from 'react'
import { useEndpointForm } from '../../../../lib/forms/use-endpoint-form.ts'
import { EndpointForm } from '../../../../ui/forms/endpoint-form.tsx'
import { type SectionName, sectionOf } from './sections.tsx'
import styles from './settings-form.module.css'
import { changesOf, settingProps } from './site-fields.tsx'

/** Edits a section of the settings of a site. Settings of the environment cannot be changed. */
export function SettingsForm({
  section,
  settings,
  fixed,
  onSave,
}: {
  section: SectionName
  settings: SiteSettings
  fixed: readonly string[]
  onSave: (changes: SiteSettingsChanges) => Promise<unknown>
}) {
  /** As when the form was opened or last saved. Others may have changed them since: only changes of this form are sent. */
  const [initial, setInitial] = useState(settings)
  const parts = sectionOf(section).form
  const valuesOf = (fields: FormData) => ({ ...initial, ...parts?.read(fields) })
  const form = useEndpointForm({
    fields: Object.keys(settings),
    check: (_, element) => unreadableFields(element),
    send: async (fields) => {
      const changes: SiteSettingsChanges = changesOf(valuesOf(fields), initial, fixed)
      if (Object.keys(changes).length > 0) await onSave(changes)
    },
    onSuccess: (_result, _form, fields) => setInitial(valuesOf(fields)),
  })
  if (!parts) return null
  const { Fields } = parts
  return (
    <EndpointForm className={styles['form']} form={form}>
      <Fields initial={initial} setting={settingProps(form.field, fixed)} fixed={fixed} />
    </EndpointForm>
  )
}

/** A form reads such a field as empty, which would be saved as unlimited or as 0. The server checks the rest. */
const unreadableFields = (form: HTMLFormElement) =>
  Object.fromEntries(
    [...form.elements]
      .filter((field) => field instanceof HTMLInputElement)
      .filter(({ validity }) => validity.badInput || validity.valueMissing)
      .map(({ name, validationMessage }) => [name, validationMessage]),
  )
