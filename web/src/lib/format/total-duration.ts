import { t } from '@lingui/core/macro'
/** A total length in its two largest units: "2 h 5 min", "5 min", "40 s". */
export function formatTotal(durationSeconds: number): string {
  const seconds = Math.round(durationSeconds)
  if (seconds < 60) return t`${seconds} s`
  const minutes = Math.round(seconds / 60)
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return t`${minutes} min`
  return minutes % 60 === 0 ? t`${hours} h` : t`${hours} h ${minutes % 60} min`
}
