import { defineLimit } from '../../../context/limits.ts'

/** Concurrent uploads per user. */
export const uploadSlots = defineLimit(({ config: { uploadsPerUser }, slots }) =>
  slots('uploads', uploadsPerUser, `At most ${uploadsPerUser} uploads at once, please wait for one to end`),
)
