const hourMs = 3_600_000

const unitsOf = { Minutes: 'minute', Hours: 'hour', Days: 'day' } as const

/** Values whose message needs plural forms of a noun, in English: `{usedVideos}` is "1 video". */
export const nounOf = (name: string) => (name.endsWith('Videos') ? 'video' : undefined)

/**
 * A value of an error for people. The end of a number's name is its unit: `quotaMinutes`, `ageDays`; `waitMs` is a wait in
 * full hours or minutes. Texts stay as they are.
 */
export function formatValue(name: string, value: string | number, language: string): string {
  if (typeof value === 'string') return value
  if (name.endsWith('Ms'))
    return value > hourMs
      ? withUnit(Math.ceil(value / hourMs), 'hour', language)
      : withUnit(Math.max(1, Math.ceil(value / 60_000)), 'minute', language)
  const unit = Object.entries(unitsOf).find(([end]) => name.endsWith(end))?.[1]
  return unit ? withUnit(value, unit, language) : value.toLocaleString(language)
}

const withUnit = (value: number, unit: string, language: string) =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
