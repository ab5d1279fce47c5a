import { AppError } from '@kinora/platform/errors.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { defineLimit } from '../../../context/limits.ts'

/** Open event streams per user. */
export const eventStreamSlots = defineLimit(({ config, slots }) =>
  slots(
    'event_streams',
    config.eventStreamsPerUser,
    (options) => new AppError(videoErrors.eventStreamLimit, options),
  ),
)
