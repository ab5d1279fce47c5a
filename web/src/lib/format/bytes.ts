import { pageLanguage } from '../i18n/language.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
/** As operating systems write them. `Intl` would write kB. */
const ENGLISH = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** A file size in decimal units, as operating systems show it: 880 MB, 1.42 GB. */
export function formatBytes(sizeBytes: number): string {
  let value = Math.max(0, sizeBytes)
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  const fractionDigits = unit < 2 || value >= 100 ? 0 : value >= 10 ? 1 : 2
  const digits = { minimumFractionDigits: fractionDigits, maximumFractionDigits: fractionDigits }
  if (pageLanguage === 'en') {
    return `${value.toLocaleString('en', digits)} ${value === 1 && unit === 0 ? 'byte' : ENGLISH[unit]}`
  }
  return value.toLocaleString(pageLanguage, {
    style: 'unit',
    unit: UNITS[unit],
    unitDisplay: unit === 0 ? 'long' : 'short',
    ...digits,
  })
}
