import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { quotaMax } from '@kinora/contract/constants.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'

const bytes = { unit: 1e9, min: 0.001, max: 9_000_000, step: 'any' }
const whole = { unit: 1, min: 1, max: quotaMax, step: 1 }

/** The fields of quotas. `unit` is what one of their numbers stands for. */
const quotaFields = {
  quotaBytes: { label: msg`Gigabytes`, ...bytes },
  quotaVideos: { label: msg`Videos`, ...whole },
  quotaHours: { label: msg`Hours of video`, ...whole },
  quotaDailyBytes: { label: msg`Uploads within 24 hours (GB)`, ...bytes },
  quotaVideoMinutes: { label: msg`Longest video (minutes)`, ...whole },
} as const

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
