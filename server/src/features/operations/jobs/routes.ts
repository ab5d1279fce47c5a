import * as contract from '@kinora/contract/operations/jobs.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { listFailedJobs, listQueues, retryJobs } from './actions.ts'

const failedJobsShown = 100

export const jobRoutes = [
  route(contract.listJobs, async (_, context: WebContext) => {
    const [queues, failed] = await Promise.all([
      listQueues(context),
      listFailedJobs(context, failedJobsShown),
    ])
    return { queues, failed }
  }),

  route(contract.retryJobs, { clears: [] }, async ({ body, user }, context: WebContext) => ({
    ids: await retryJobs(context, user, body.ids),
  })),
]
