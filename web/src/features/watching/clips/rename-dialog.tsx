import { t } from '@lingui/core/macro'
import type { Clip } from '@kinora/contract/watching/clips.ts'
import { useQueryClient } from '@tanstack/react-query'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { useInitialFocus } from '../../../lib/forms/use-initial-focus.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { saveTitle } from './api.ts'

/** Changes the title of an own clip. */
export function RenameDialog({ clip, onClose }: { clip: Pick<Clip, '_id' | 'title'>; onClose: () => void }) {
  const client = useQueryClient()
  const element = useInitialFocus()
  const form = useEndpointForm({
    fields: ['title'],
    send: (fields) => saveTitle(client, clip._id, textOf(fields, 'title')),
    onSuccess: onClose,
  })
  return (
    <Dialog title={t`Rename the clip`} closesOnOutsideClick={false} onClose={onClose}>
      <EndpointForm ref={element} form={form} submit={t`Save`} onCancel={onClose}>
        <Field
          label={t`Title`}
          defaultValue={clip.title}
          autoComplete="off"
          required
          {...form.field('title')}
        />
      </EndpointForm>
    </Dialog>
  )
}
