import { pageLanguage } from '../i18n/language.ts'

const whole = new Intl.NumberFormat(pageLanguage, { style: 'percent' })

/** A share from 0 to 1 as whole percents, as the language writes them: "26%", "26 %". Small shares are not 0. */
export function formatPercent(share: number): string {
  if (share > 0 && share < 0.01) return `< ${whole.format(0.01)}`
  return whole.format(share)
}

/** The same of a progress: it is 100 only at the end. */
export function formatProgress(share: number): string {
  // 0.29 times 100 is less than 29
  return whole.format(Math.floor(Math.min(1, Math.max(0, share)) * 100 + 1e-6) / 100)
}
