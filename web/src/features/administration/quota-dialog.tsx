import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { quotaMax } from '@kinora/contract/constants.ts'
import type { Person, PersonQuota } from '@kinora/contract/administration.ts'
import type { FormEvent } from 'react'
import { textOf } from '../../lib/forms/form-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/forms/field.tsx'

const bytes = { unit: 1e9, min: 0.001, max: 9_000_000, step: 'any' }
const whole = { unit: 1, min: 1, max: quotaMax, step: 1 }

/** The fields. `unit` is what one of their numbers stands for. */
export const quotaFields = {
  quotaBytes: { label: msg`Gigabytes`, ...bytes },
  quotaVideos: { label: msg`Videos`, ...whole },
  quotaHours: { label: msg`Hours of video`, ...whole },
  quotaDailyBytes: { label: msg`Uploads within 24 hours (GB)`, ...bytes },
  quotaVideoMinutes: { label: msg`Longest video (minutes)`, ...whole },
} as const

const ofSite = msg`Empty: the quota of the site.`
const hints: Record<keyof PersonQuota, MessageDescriptor> = {
  quotaBytes: msg`Of all videos and unfinished uploads. Empty: the quota of the site.`,
  quotaVideos: ofSite,
  quotaDailyBytes: msg`Deleted videos count too. Leave empty for the quota of the site.`,
  quotaVideoMinutes: ofSite,
}

const names = Object.keys(hints) as (keyof PersonQuota)[]

/** The value of a field; null for an empty one. The server refuses what is no quota, such as 0. */
export function readQuota(fields: FormData, name: keyof typeof quotaFields): number | null {
  const text = textOf(fields, name)
  const { unit } = quotaFields[name]
  if (text === '') return null
  return unit === 1 ? Number(text) : Math.round(Number(text) * unit)
}

/** Attributes of the field of a quota. */
export function quotaInput(name: keyof typeof quotaFields, value: number | null) {
  const { label, unit, ...limits } = quotaFields[name]
  return { label: i18n._(label), type: 'number', defaultValue: value === null ? '' : value / unit, ...limits }
}

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
