import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { Person, PersonQuota } from '@kinora/contract/administration.ts'
import type { FormEvent } from 'react'
import { textOf } from '../../lib/forms/form-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/forms/field.tsx'

const gigabyte = 1e9
const bytes = { unit: gigabyte, min: 0.001, max: 9_000_000, step: 'any' }
const whole = { unit: 1, min: 1, max: 1_000_000_000, step: 1 }

const ofSite = msg`Empty: the quota of the site.`

/** The fields. `unit` is what one of their numbers stands for. */
const quotas = [
  {
    key: 'quotaBytes',
    label: msg`Gigabytes`,
    hint: msg`Of all videos and unfinished uploads. Empty: the quota of the site.`,
    ...bytes,
  },
  { key: 'quotaVideos', label: msg`Videos`, hint: ofSite, ...whole },
  {
    key: 'quotaDailyBytes',
    label: msg`Uploads within 24 hours (GB)`,
    hint: msg`Deleted ones count. Empty: the quota of the site.`,
    ...bytes,
  },
  { key: 'quotaVideoMinutes', label: msg`Longest video (minutes)`, hint: ofSite, ...whole },
] as const

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
    const quotaOf = (key: keyof PersonQuota, unit: number) =>
      Math.round(Number(textOf(fields, key)) * unit) || null
    onSave({
      quotaBytes: quotaOf('quotaBytes', gigabyte),
      quotaVideos: quotaOf('quotaVideos', 1),
      quotaDailyBytes: quotaOf('quotaDailyBytes', gigabyte),
      quotaVideoMinutes: quotaOf('quotaVideoMinutes', 1),
    })
    onClose()
  }
  return (
    <Dialog title={t`Quota of ${person.username}`} closesOnOutsideClick={false} onClose={onClose}>
      <form onSubmit={submit}>
        {quotas.map(({ key, label, hint, unit, min, max, step }) => (
          <Field
            key={key}
            label={i18n._(label)}
            name={key}
            type="number"
            min={min}
            max={max}
            step={step}
            defaultValue={person[key] === null ? '' : person[key] / unit}
            hint={i18n._(hint)}
          />
        ))}
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" variant="solid">{t`Save`}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
