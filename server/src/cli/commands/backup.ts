import { readConfig } from '../../context/config.ts'
import { type CommandLine, directoryOf, wholeNumber } from '../command.ts'
import { prepareDataDir } from '@kinora/platform/files/data-dir.ts'
import { formatBytes } from '@kinora/platform/format-bytes.ts'
import { table, printProgress } from '../output.ts'

export function addBackup({ group, command, respond }: CommandLine): void {
  const backup = group('backup', 'Create, list and verify backups')
  command(backup, 'create [directory]', 'Back up database, sources and pictures while the site runs', {
    isDefault: true,
  })
    .option('--keep <count>', 'then keep only the newest <count>', wholeNumber)
    .action(async (directory: string | undefined, { keep }: { keep?: number }) => {
      const [{ backUp }, { Repository }, { createStorage }, { withDatabase }] = await Promise.all([
        import('../../features/operations/backups/actions/back-up.ts'),
        import('../../features/operations/backups/actions/repository.ts'),
        import('@kinora/platform/storage/create-storage.ts'),
        import('../site.ts'),
      ])
      const config = readConfig()
      const repository = new Repository(directoryOf(directory, config))
      repository.prepare()
      const progress = printProgress()
      const done = await withDatabase(config, async (databaseUrl) =>
        backUp({ databaseUrl, storage: await createStorage(config), repository }, new Date(), progress),
      )
      const pruned = keep === undefined ? undefined : await repository.prune(keep)
      progress.done()
      const lines = [
        `Backed up ${done.rows} rows and ${done.files} files (${formatBytes(done.bytes)}) as ${done.snapshot} in ${repository.root}.`,
        ...(keep !== undefined && !pruned
          ? ['No older backup was deleted, because another backup is running.']
          : []),
        ...(pruned
          ? [`Deleted ${pruned.snapshots} older backups and ${pruned.files} files that only they had.`]
          : []),
        ...(done.references > 0
          ? [`Not in this backup: ${done.references} files of imported folders, which stay where they are.`]
          : []),
        ...done.missing.map((key) => `Lost before this backup: ${key}`),
        ...done.repaired.map((key) => `Was damaged in the backup, copied again: ${key}`),
        ...done.damaged.map(
          ({ key, snapshots }) =>
            `Damaged in the backup and not intact in the storage: ${key} (in ${snapshots.join(', ')})`,
        ),
      ]
      respond({
        text: lines.join('\n'),
        value: {
          ...done,
          directory: repository.root,
          pruned: keep === undefined ? undefined : (pruned ?? null),
        },
        isBad: done.missing.length > 0 || done.damaged.length > 0,
      })
    })

  command(backup, 'list [directory]', 'List the backups').action(async (directory: string | undefined) => {
    const { Repository } = await import('../../features/operations/backups/actions/repository.ts')
    const repository = new Repository(directoryOf(directory, readConfig()))
    const rows = await Promise.all(
      (await repository.list()).map(async (snapshot) => {
        const { tables, files, missing } = await repository.readManifest(snapshot)
        const count = tables.reduce((sum, { rows: some }) => sum + some, 0)
        return {
          snapshot,
          rows: count,
          files: files?.count ?? null,
          bytes: files?.bytes ?? null,
          missing: missing.length,
        }
      }),
    )
    respond({ text: table(rows) || `There are no backups in ${repository.root}.`, value: rows })
  })

  command(
    backup,
    'verify [directory]',
    'Restore a backup into a temporary database, compare every row, read every file',
  )
    .option('--snapshot <name>', 'which one (default: the newest)')
    .action(async (directory: string | undefined, { snapshot }: { snapshot?: string }) => {
      const [{ verify }, { Repository }] = await Promise.all([
        import('../../features/operations/backups/actions/verify.ts'),
        import('../../features/operations/backups/actions/repository.ts'),
      ])
      const config = readConfig()
      const repository = new Repository(directoryOf(directory, config))
      const progress = printProgress()
      const wanted = await repository.find(snapshot)
      // not in /tmp, which may be memory
      prepareDataDir(config.dataDir)
      const found = await verify(repository, wanted, config.dataDir, progress)
      progress.done()
      const isBad = found.problems.length > 0
      const text = isBad
        ? [`${found.snapshot} is damaged:`, ...found.problems.map((problem) => `  ${problem}`)].join('\n')
        : `${found.snapshot} is good: ${found.tables} tables with ${found.rows} rows were restored and compared, ${found.files} files were read.`
      respond({ text, value: { ok: !isBad, ...found }, isBad })
    })
  backup.addHelpText('after', '\nThe default directory of backups is DATA_DIR/backups.')
}
