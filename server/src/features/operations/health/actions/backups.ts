import type { Context } from '../../../../context/context.ts'
import { dayMs } from '@kinora/platform/durations.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { defaultRepository } from '../../backups/actions/repository.ts'
import type { Report } from './finding.ts'

const oldBackupDays = 7

/** Checks the age of the newest backup in the default directory. Returns when that was made. */
export async function checkBackups(
  config: Pick<Context['config'], 'dataDir'>,
  report: Report,
): Promise<Date | undefined> {
  const repository = defaultRepository(config)
  const newest = (await repository.list()).at(-1)
  if (newest === undefined) {
    report('backup.missing', 'note', `There is no backup in ${repository.root}. \`kinora backup\` makes one.`)
    return undefined
  }
  try {
    const madeAt = new Date((await repository.readManifest(newest)).madeAt)
    const days = Math.floor((Date.now() - madeAt.getTime()) / dayMs)
    if (days > oldBackupDays)
      report('backup.old', 'note', `The newest backup in ${repository.root} is ${days} days old.`)
    else report('backup.recent', 'good', `The newest backup is of ${newest}`)
    return madeAt
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    report('backup.unreadable', 'bad', error.message)
    return undefined
  }
}
