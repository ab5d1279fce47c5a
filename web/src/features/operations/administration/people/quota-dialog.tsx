import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { Person, PersonQuota } from '@kinora/contract/operations/people.ts'
import { useEndpointForm } from '../../../../lib/forms/use-endpoint-form.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { EndpointForm } from '../../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../../ui/forms/field.tsx'
import { quotaInput, readQuota } from '../quota-fields.ts'

const ofSite = msg`Empty: the quota of the site.`
const hints: Record<keyof PersonQuota, MessageDescriptor> = {
  quotaBytes: msg`Of all videos and unfinished uploads. Empty: the quota of the site.`,
  quotaVideos: ofSite,
  quotaDailyBytes: msg`Deleted videos count too. Leave empty for the quota of the site.`,
  quotaVideoMinutes: ofSite,
}

const names = Object.keys(hints) as (keyof PersonQuota)[]

/** Changes what an account may upload. Empty fields stand for the quota of the site. */
export function QuotaDialog({
  person,
  onClose,
  onSave,
}: {
  person: Person
  onClose: () => void
  onSave: (quota: PersonQuota) => void
}) {
  const form = useEndpointForm({
    fields: names,
    send: async (fields) =>
      onSave({
        quotaBytes: readQuota(fields, 'quotaBytes'),
        quotaVideos: readQuota(fields, 'quotaVideos'),
        quotaDailyBytes: readQuota(fields, 'quotaDailyBytes'),
        quotaVideoMinutes: readQuota(fields, 'quotaVideoMinutes'),
      }),
    onSuccess: onClose,
  })
  return (
    <Dialog title={t`Quota of ${person.username}`} closesOnOutsideClick={false} onClose={onClose}>
      <EndpointForm form={form} onCancel={onClose}>
        {names.map((name) => (
          <Field key={name} name={name} hint={i18n._(hints[name])} {...quotaInput(name, person[name])} />
        ))}
      </EndpointForm>
    </Dialog>
  )
}
