import { liveErrors } from '@kinora/contract/live/errors.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { defineLimit } from '../../../context/limits.ts'

/** Pieces that are received at a time per account: one, and its repetition. */
export const pieceSlots = defineLimit(({ slots }) =>
  slots('live_pieces', 2, (options) => new AppError(liveErrors.pieceLimit, options)),
)
