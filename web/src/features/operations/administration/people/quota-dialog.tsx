import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { Person, PersonQuota } from '@kinora/contract/operations/people.ts'
import type { FormEvent } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../../ui/dialog.tsx'
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
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    onSave({
      quotaBytes: readQuota(fields, 'quotaBytes'),
      quotaVideos: readQuota(fields, 'quotaVideos'),
      quotaDailyBytes: readQuota(fields, 'quotaDailyBytes'),
      quotaVideoMinutes: readQuota(fields, 'quotaVideoMinutes'),
    })
    onClose()
  }
  return (
    <Dialog title={t`Quota of ${person.username}`} closesOnOutsideClick={false} onClose={onClose}>
      <form onSubmit={submit}>
        {names.map((name) => (
          <Field key={name} name={name} hint={i18n._(hints[name])} {...quotaInput(name, person[name])} />
        ))}
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" variant="solid">{t`Save`}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
