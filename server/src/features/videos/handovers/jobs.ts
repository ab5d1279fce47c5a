import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { moveRest } from './actions/move-videos.ts'

/** Moves the videos of a large channel after its hand-over was accepted, and continues after failures until all are moved. */
export const moveGiven = defineJob({
  name: 'handovers.move',
  payload: z.object({ giverId: z.string(), receiverId: z.string() }),
  concurrency: 1,
  timeLimitSeconds: 3600,
  retries: 5,
  handle: async (accounts, context: Context, signal) => moveRest(context, accounts, signal),
  // it would leave a channel half moved
  giveUp: async () => 'retry' as const,
})
