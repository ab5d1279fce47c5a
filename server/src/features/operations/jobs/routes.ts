import * as contract from '@kinora/contract/operations/jobs.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import {
  dismissTranscriptions,
  listFailedJobs,
  listQueues,
  readTranscriptionWork,
  retryJobs,
  retryTranscriptions,
} from './actions.ts'

const failuresShown = 100

export const jobRoutes = [
  route(contract.listJobs, async (_, context: WebContext) => {
    const [queues, failed] = await Promise.all([listQueues(context), listFailedJobs(context, failuresShown)])
    return { queues, failed }
  }),

  route(contract.retryJobs, { clears: [] }, async ({ body, user }, context: WebContext) => ({
    ids: await retryJobs(context, user, body.ids),
  })),

  route(contract.getTranscriptionWork, (_, context: WebContext) =>
    readTranscriptionWork(context, failuresShown),
  ),

  route(contract.retryTranscriptions, { clears: [] }, async ({ body, user }, context: WebContext) => ({
    ids: await retryTranscriptions(context, user, body.ids),
  })),

  route(contract.dismissTranscriptions, { clears: [] }, async ({ body, user }, context: WebContext) => ({
    ids: await dismissTranscriptions(context, user, body.ids),
  })),
]
