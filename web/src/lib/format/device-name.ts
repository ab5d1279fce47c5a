import { t } from '@lingui/core/macro'
import { unknownDevice } from '@kinora/contract/constants.ts'

/** Browser and system of a session, or a fallback text. */
export const deviceName = (device: string, unknown: string = t`Unknown device`): string =>
  device === '' || device === unknownDevice ? unknown : device
