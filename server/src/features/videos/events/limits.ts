import { defineLimit } from '../../../context/limits.ts'

/** Open event streams per user. */
export const eventStreamSlots = defineLimit(({ config, slots }) =>
  slots('event_streams', config.eventStreamsPerUser, 'Too many event streams are open already'),
)
