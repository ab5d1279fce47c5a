import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import * as contract from '@kinora/contract/portability/folder-imports.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../context/context.ts'
import { getUserId } from '../../accounts/users/queries.ts'
import { runFolderImport } from './jobs.ts'
import { findRun } from './queries/runs.ts'

/** Whether an import waits or runs. */
async function isRunning({ jobs }: Pick<WebContext, 'jobs'>): Promise<boolean> {
  const queue = (await jobs.summarize()).find(({ name }) => name === runFolderImport.name)
  return queue !== undefined && queue.waiting + queue.running > 0
}

export const folderImportRoutes = [
  route(contract.getFolderImports, async (_, context: WebContext) => ({
    folders: context.config.importFolders,
    isRunning: await isRunning(context),
    run: await findRun(context.db),
  })),

  route(contract.createFolderImport, { clears: [] }, async ({ body }, { db, jobs, config }: WebContext) => {
    const { folder, username, placement, hasPlaylists = false, isDryRun = false } = body
    if (!config.importFolders.includes(folder))
      throw new AppError(portabilityErrors.importFolderUnknown, { path: 'folder' })
    const job = { folder, ownerId: await getUserId(db, username), placement, hasPlaylists, isDryRun }
    if (!(await jobs.enqueue(db, runFolderImport, job, { key: 'run' })))
      throw new AppError(portabilityErrors.folderImportRunning)
    return null
  }),
]
