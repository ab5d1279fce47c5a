import type { ReportKind, ReportReason } from '@kinora/contract/constants.ts'

export const reasonNames: Record<ReportReason, string> = {
  spam: 'Spam',
  harassment: 'Harassment',
  hate: 'Hate',
  violence: 'Violence',
  sexual: 'Sexual content',
  copyright: 'Copyright',
  other: 'Something else',
}

/** What removing means. */
export const removalNames: Record<ReportKind, string> = {
  video: 'Take down…',
  comment: 'Remove…',
  channel: 'Suspend…',
}
