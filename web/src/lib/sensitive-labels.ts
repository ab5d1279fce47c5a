import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { SensitiveChoice } from '@kinora/contract/constants.ts'

/** Names of the choices about videos with sensitive content. */
export const sensitiveLabels: Record<SensitiveChoice, MessageDescriptor> = {
  show: msg`Show`,
  blur: msg`Blur until a click`,
  hide: msg`Leave out of lists`,
}
