import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { categoryNames } from '@kinora/contract/videos/labels.ts'
import { categoryLabels } from '../../../lib/category-labels.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { categoryNamed } from '../../../lib/metadata-choices.ts'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { tagsIn } from './tags.ts'
import type { BulkChange } from './use-bulk-actions.ts'

/** Adds tags to the selected videos, or sets their category. */
export function BulkLabels({ onChange }: { onChange: (change: BulkChange) => void }) {
  return (
    <DialogButton label={t`Tags and category…`}>
      {(close) => <LabelsDialog onChange={onChange} onClose={close} />}
    </DialogButton>
  )
}

function LabelsDialog({
  onChange,
  onClose,
}: {
  onChange: (change: BulkChange) => void
  onClose: () => void
}) {
  const form = useEndpointForm({
    fields: [],
    send: async (fields) => {
      const tags = tagsIn(textOf(fields, 'tags'))
      const named = textOf(fields, 'category')
      const category = categoryNamed(named) ?? null
      onClose()
      if (tags.length === 0 && named === '') return
      onChange({
        changeOf: (video) => ({
          ...(tags.length > 0 ? { tags: [...new Set([...video.tags, ...tags])] } : {}),
          ...(named === '' ? {} : { category }),
        }),
        revertOf: ({ tags: earlier, category: before }) => ({ tags: earlier, category: before }),
        outcome: t`labelled`,
      })
    },
  })
  return (
    <Dialog title={t`Tags and category`} onClose={onClose} width={440}>
      <EndpointForm form={form} submit={t`Apply`} onCancel={onClose}>
        <Field label={t`Tags to add`} name="tags" hint={t`Separated by commas.`} />
        <Select label={t`Category`} name="category">
          <option value="">{t`Keep`}</option>
          <option value="none">{t({ message: 'None', context: 'category' })}</option>
          {categoryNames.map((name) => (
            <option key={name} value={name}>
              {i18n._(categoryLabels[name])}
            </option>
          ))}
        </Select>
      </EndpointForm>
    </Dialog>
  )
}
