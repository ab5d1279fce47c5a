import type { AnalyticsPeriod } from '@kinora/contract/analytics.ts'

export const periods: Record<AnalyticsPeriod, string> = {
  7: '7 days',
  28: '28 days',
  90: '90 days',
  365: '365 days',
  all: 'All time',
}

/** In the order of the menu. */
export const periodNames = ['7', '28', '90', '365', 'all'] as const satisfies AnalyticsPeriod[]

/** The period of a name; 28 days for any other text. */
export const periodNamed = (text: string | null): AnalyticsPeriod =>
  periodNames.find((name) => name === text) ?? '28'
