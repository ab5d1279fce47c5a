import { readConfig } from '../../context/config.ts'
import { type CommandLine, directoryOf, withContext } from '../command.ts'
import { printProgress } from '../output.ts'

export function addRestore({ program, command, respond }: CommandLine): void {
  command(program, 'restore [directory]', 'Restore a backup to an empty place; the site must be stopped')
    .option('--snapshot <name>', 'which one (default: the newest)')
    .option('--replace', 'delete the site that is there, and put the backup in its place', false)
    .option(
      '--skip-missing',
      'restore the rest where files of the backup are missing or damaged, and list them',
      false,
    )
    .addHelpText(
      'after',
      `
Ends with 0 when all of the backup was restored, and with 1 when nothing was or when files were skipped.
\`kinora check\` lists what a site lacks afterwards.`,
    )
    .action(
      async (
        directory: string | undefined,
        { snapshot, replace, skipMissing }: { snapshot?: string; replace: boolean; skipMissing: boolean },
      ) => {
        const [{ restore, resumePreparing }, { Repository }, { createStorage }, { withStoppedSite }] =
          await Promise.all([
            import('../../features/operations/backups/actions/restore.ts'),
            import('../../features/operations/backups/actions/repository.ts'),
            import('@kinora/platform/storage/create-storage.ts'),
            import('../site.ts'),
          ])
        const config = readConfig()
        const repository = new Repository(directoryOf(directory, config))
        const wanted = await repository.find(snapshot)
        const progress = printProgress()
        const done = await withStoppedSite(config, async (databaseUrl) => {
          const restored = await restore(
            { databaseUrl, storage: await createStorage(config), repository },
            wanted,
            { replace, skipMissing },
            progress,
          )
          await withContext(resumePreparing, { ...config, databaseUrl })
          return restored
        })
        progress.done()
        respond({
          text: [
            `Restored ${done.rows} rows and ${done.files} files of ${done.snapshot}.`,
            ...done.skipped.map(({ key, reason }) => `Not restored, ${reason} in the backup: ${key}`),
            ...done.missing.map((key) => `Lost before the backup was made: ${key}`),
          ].join('\n'),
          value: done,
          isBad: done.skipped.length > 0,
        })
      },
    )
}
