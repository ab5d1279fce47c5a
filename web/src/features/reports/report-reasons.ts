import type { ReportReason } from '@kinora/contract/constants.ts'

/** Reasons of a report, as people choose them. */
export const reasonNames: Record<ReportReason, string> = {
  spam: 'Spam or advertising',
  harassment: 'Harassment or bullying',
  hate: 'Hate',
  violence: 'Violence or danger',
  sexual: 'Sexual content',
  copyright: 'Somebody else’s work',
  other: 'Something else',
}
