import * as contract from '@kinora/contract/operations/backups.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { isRunning, listNewest, start } from './actions/start.ts'
import { defaultRepository } from './actions/repository.ts'
import { findRun } from './queries/runs.ts'

const backupsShown = 50

export const backupRoutes = [
  route(contract.listBackups, async (_, context: WebContext) => {
    const repository = defaultRepository(context.config)
    return {
      directory: repository.root,
      isRunning: await isRunning(context),
      run: await findRun(context.db),
      backups: await listNewest(repository, backupsShown),
    }
  }),

  route(contract.createBackup, { clears: [] }, async ({ user }, context: WebContext) => {
    await start(context, user, null)
    return null
  }),

  route(contract.verifyBackup, { clears: [] }, async ({ params, user }, context: WebContext) => {
    await start(context, user, params.backup)
    return null
  }),
]
