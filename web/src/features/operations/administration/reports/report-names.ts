import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ReportKind, ReportReason } from '@kinora/contract/constants.ts'

export const reasonNames: Record<ReportReason, MessageDescriptor> = {
  spam: msg`Spam`,
  harassment: msg`Harassment`,
  hate: msg`Hate`,
  violence: msg`Violence`,
  sexual: msg`Sexual content`,
  copyright: msg`Copyright`,
  other: msg`Something else`,
}

export const kindNames: Record<ReportKind, MessageDescriptor> = {
  video: msg`Video`,
  comment: msg`Comment`,
  channel: msg`Channel`,
  clip: msg`Clip`,
}

/** Labels of removals by kind. */
export const removalNames: Record<ReportKind, MessageDescriptor> = {
  video: msg`Take down…`,
  comment: msg`Remove…`,
  clip: msg`Remove…`,
  channel: msg`Suspend…`,
}
