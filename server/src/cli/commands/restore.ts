import { readConfig } from '../../config.ts'
import { type CommandLine, directoryOf, withContext } from '../command.ts'
import { tellProgress } from '../output.ts'

export function addRestore({ program, command, answer }: CommandLine): void {
  command(program, 'restore [directory]', 'Put a backup where there is no site yet; the site must be stopped')
    .option('--snapshot <name>', 'which one (default: the newest)')
    .option('--replace', 'delete the site that is there, and put the backup in its place', false)
    .action(
      async (
        directory: string | undefined,
        { snapshot, replace }: { snapshot?: string; replace: boolean },
      ) => {
        const [{ restore, resumePreparing }, { Repository }, { createStorage }, { withStoppedSite }] =
          await Promise.all([
            import('../../features/backups/actions/restore.ts'),
            import('../../features/backups/actions/repository.ts'),
            import('../../platform/storage/create-storage.ts'),
            import('../site.ts'),
          ])
        const config = readConfig()
        const repository = new Repository(directoryOf(directory, config))
        const wanted = await repository.find(snapshot)
        const progress = tellProgress()
        const done = await withStoppedSite(config, async (databaseUrl) => {
          const restored = await restore(
            { databaseUrl, storage: await createStorage(config), repository },
            wanted,
            { replace },
            progress,
          )
          await withContext(resumePreparing, { ...config, databaseUrl })
          return restored
        })
        progress.done()
        answer({
          text: `Restored ${done.rows} rows and ${done.files} files of ${done.snapshot}.`,
          value: done,
        })
      },
    )
}
