import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { categoryNames } from '@kinora/contract/videos/labels.ts'
import type { FormEvent } from 'react'
import { categoryLabels } from '../../../lib/category-labels.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { categoryNamed } from '../../../lib/video-metadata.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
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
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
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
  }
  return (
    <Dialog title={t`Tags and category`} onClose={onClose} width={440}>
      <form onSubmit={submit} noValidate>
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
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button variant="solid" type="submit">{t`Apply`}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
