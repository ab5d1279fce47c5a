import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { liveVisibilities } from '@kinora/contract/constants.ts'
import type { LiveTemplate } from '@kinora/contract/live/live-streams.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { type EndpointForm as Form, useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { useSettings } from '../../../lib/settings.ts'
import { visibilityChoices } from '../../../lib/visibility-labels.ts'
import { Check } from '../../../ui/forms/check.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field, TextArea } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { useSaveTemplate } from './api.ts'

/** Details with which the next stream begins. Until they are saved, nobody else sees it. */
export function TemplateForm({ template }: { template: LiveTemplate | null }) {
  const save = useSaveTemplate()
  const form = useEndpointForm({
    fields: ['title', 'description', 'visibility'],
    send: (fields) => {
      const chosen = liveVisibilities.find((each) => each === textOf(fields, 'visibility'))
      return save({
        title: textOf(fields, 'title'),
        description: textOf(fields, 'description'),
        visibility: chosen ?? 'private',
        keepsRecording: fields.has('keepsRecording'),
      })
    },
  })
  return (
    <EndpointForm form={form}>
      <TemplateFields
        form={form}
        template={template}
        visibilities={liveVisibilities}
        defaultVisibility="private"
      />
    </EndpointForm>
  )
}

/** Details of a stream: how it is called, who sees it, and whether it stays. */
export function TemplateFields({
  form,
  template,
  visibilities,
  defaultVisibility,
}: {
  form: Pick<Form, 'field'>
  template: LiveTemplate | null | undefined
  visibilities: readonly LiveTemplate['visibility'][]
  /** Without a template. */
  defaultVisibility: LiveTemplate['visibility']
}) {
  const { titleMaxCharacters, descriptionMaxCharacters } = useSettings()
  const initial = template?.visibility ?? defaultVisibility
  // a private show cannot be announced: who sees the stream is asked
  const isOffered = visibilities.includes(initial)
  return (
    <>
      <Field
        label={t`Title`}
        maxLength={titleMaxCharacters}
        defaultValue={template?.title}
        {...form.field('title')}
      />
      <TextArea
        label={t`Description`}
        rows={4}
        maxLength={descriptionMaxCharacters}
        defaultValue={template?.description}
        {...form.field('description')}
      />
      <Select
        label={t`Visibility`}
        required
        defaultValue={isOffered ? initial : ''}
        {...form.field('visibility')}
      >
        {!isOffered && <option value="">{t`Choose who may see it`}</option>}
        {visibilities.map((visibility) => (
          <option key={visibility} value={visibility}>
            {i18n._(visibilityChoices[visibility])}
          </option>
        ))}
      </Select>
      <Check
        label={t`Keep the stream as a video`}
        hint={t`Otherwise it is deleted when it ends.`}
        name="keepsRecording"
        defaultChecked={template?.keepsRecording ?? true}
      />
    </>
  )
}
