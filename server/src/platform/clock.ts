/** The time, as tests may set it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
