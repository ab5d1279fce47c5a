import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { defineLimit } from '../../../context/limits.ts'

/** Concurrent uploads per user. */
export const uploadSlots = defineLimit(({ config: { uploadsPerUser }, slots }) =>
  slots(
    'uploads',
    uploadsPerUser,
    (options) => new AppError(videoErrors.uploadLimit, { limit: uploadsPerUser }, options),
  ),
)
