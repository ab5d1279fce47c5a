import { operationErrors } from '@kinora/contract/operations/errors.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { type CommandLine, UsageError, wholeNumber, withContext } from '../command.ts'
import { table } from '../output.ts'

export function addJobs({ group, command, respond }: CommandLine): void {
  const jobs = group('jobs', 'Background work')
  command(jobs, 'list', 'List waiting, running and failed jobs')
    .option('--failed', 'list the jobs that failed, with the reason', false)
    .option('--limit <count>', 'maximum number of rows', wholeNumber, 50)
    .action(async ({ failed, limit }: { failed: boolean; limit: number }) => {
      if (failed) {
        const rows = await withContext((context) => context.jobs.listFailed(limit))
        const shown = rows.map((row) => ({ ...row, data: JSON.stringify(row.data) }))
        respond({ text: table(shown) || 'No job has failed in the last 14 days.', value: rows })
      } else {
        const { listQueues } = await import('../../features/operations/jobs/actions.ts')
        const rows = await withContext(listQueues)
        respond({ text: table(rows), value: rows })
      }
    })

  command(jobs, 'retry [id]', 'Retry a failed job, or all of them with --all')
    .option('--all', 'every failed job', false)
    .action(async (id: string | undefined, { all }: { all: boolean }) => {
      if ((id === undefined) !== all) throw new UsageError('Name the id of one failed job, or --all.')
      const retried = await withContext(async (context) => {
        const { retryJobs } = await import('../../features/operations/jobs/actions.ts')
        const ids = await retryJobs(context, null, id === undefined ? undefined : [id])
        if (ids.length === 0 && !all) throw new AppError(operationErrors.jobNotFound, { id: id ?? '' })
        return ids.length
      })
      respond({ text: `${retried} jobs are retried.`, value: { retried } })
    })
}
