import { defineLimit } from '../../../context/limits.ts'
import { SlowDown } from '@kinora/platform/http/limits/slow-down.ts'

/** Successful logins per address; more are delayed, then rejected. */
export const signInLimit = defineLimit(() => new SlowDown({ perMinute: 120, maxWaitMs: 30_000 }))
