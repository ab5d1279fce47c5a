import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ReportReason } from '@kinora/contract/constants.ts'

/** Reasons of a report, as people choose them. */
export const reasonNames: Record<ReportReason, MessageDescriptor> = {
  spam: msg`Spam or advertising`,
  harassment: msg`Harassment or bullying`,
  hate: msg`Hate`,
  violence: msg`Violence or danger`,
  sexual: msg`Sexual content`,
  copyright: msg`Somebody else’s work`,
  other: msg`Something else`,
}
