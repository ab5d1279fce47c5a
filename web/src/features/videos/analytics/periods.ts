import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { AnalyticsPeriod } from '@kinora/contract/videos/analytics.ts'

export const periods: Record<AnalyticsPeriod, MessageDescriptor> = {
  7: msg`7 days`,
  28: msg`28 days`,
  90: msg`90 days`,
  365: msg`365 days`,
  all: msg`All time`,
}

/** In the order of the menu. */
export const periodNames = ['7', '28', '90', '365', 'all'] as const satisfies AnalyticsPeriod[]

/** The period of a name; 28 days for any other text. */
export const periodNamed = (text: string | null): AnalyticsPeriod =>
  periodNames.find((name) => name === text) ?? '28'
