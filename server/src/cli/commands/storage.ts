import { readConfig } from '../../context/config.ts'
import type { Db } from '../../context/database.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { type CommandLine, assertConfirmed, withContext } from '../command.ts'
import type { Moved } from '../move-storage.ts'
import { formatBytes } from '@kinora/platform/format-bytes.ts'
import { facts, printProgress, table } from '../output.ts'

export function addStorage({ group, command, respond }: CommandLine): void {
  const storage = group('storage', 'Where sources and pictures are kept')
  command(storage, 'show', 'Show the sizes of what the site stores, and its largest videos').action(
    async () => {
      const { getStorageUse } = await import('../../features/operations/storage/actions.ts')
      const use = await withContext(getStorageUse)
      const { largest, measurement, disk, ...sizes } = use
      const text = `${facts({ ...sizes, ...measurement, ...disk })}\n\n${table(largest)}`
      respond({ text, value: use })
    },
  )

  command(storage, 'free', 'Evict what the cache holds above its limits, in a worker of the site').action(
    async () => {
      const { freeSpace } = await import('../../features/operations/storage/actions.ts')
      await withContext((context) => freeSpace(context, null))
      respond({ text: 'A worker frees space now.', value: { isStarted: true } })
    },
  )

  command(
    storage,
    'move <from> <to>',
    'Copy all sources and pictures to another storage while the site runs, every byte verified',
  )
    .addHelpText(
      'after',
      `
A place is disk (DATA_DIR/storage) or s3://bucket?endpoint=https://host&region=name, with AWS_ACCESS_KEY_ID and
AWS_SECRET_ACCESS_KEY set. Nothing is deleted in <from>. After an interruption, the same command continues. When it
says so, restart the site with the new STORAGE_URL and run it once more, for what came in between.`,
    )
    .action(async (from: string, to: string) => {
      const [
        { identifyDatabase, moveStorage, openPlace },
        { MoveJournal },
        { withDatabase },
        { markStorage },
        { withDb },
      ] = await Promise.all([
        import('../move-storage.ts'),
        import('../move-journal.ts'),
        import('../site.ts'),
        import('../../features/operations/site/actions.ts'),
        import('@kinora/platform/db/pool.ts'),
      ])
      const config = readConfig()
      if (from === to) throw new StartupError('From and to are the same storage.')
      const [source, target] = [await openPlace(from, config), await openPlace(to, config)]
      const progress = printProgress()
      const moved = await withDatabase(config, async (databaseUrl) => {
        await withDb(databaseUrl, (db: Db) => markStorage(db, target))
        const names = [await identifyDatabase(databaseUrl), from, to]
        await using journal = await MoveJournal.open(config.dataDir, names)
        // awaited here: the journal closes when this function ends
        return await moveStorage({ databaseUrl, from: source, to: target, journal }, progress)
      })
      await Promise.all([source.close(), target.close()])
      progress.done()
      const isSwitched = (config.storageUrl ?? 'disk') === to
      respond({
        text: describeMove(moved, to, isSwitched),
        value: { from, to, ...moved, isSwitched },
        isBad: moved.missing.length > 0,
      })
    })

  command(storage, 'adopt', 'Bind the configured storage to the configured database')
    .addHelpText(
      'after',
      `
Database and storage hold the same random id, and a start with others is refused. Use this command when both are right and
one has lost its id. Files that the database does not mention are deleted later. Restart the site afterwards.`,
    )
    .option('--yes', 'do not ask', false)
    .action(async ({ yes }: { yes: boolean }) => {
      assertConfirmed(yes, 'Files of the storage without a row in the database are deleted later')
      const [{ withDatabase }, { adoptStorage }, { createStorage }, { withDb }] = await Promise.all([
        import('../site.ts'),
        import('../../features/operations/site/actions.ts'),
        import('@kinora/platform/storage/create-storage.ts'),
        import('@kinora/platform/db/pool.ts'),
      ])
      const config = readConfig()
      const target = await createStorage(config)
      const storageId = await withDatabase(config, (url) =>
        withDb(url, (db: Db) => adoptStorage({ db, storage: target })),
      )
      await target.close()
      respond({
        text: 'The storage now belongs to this database. Restart the site.',
        value: { storageId },
      })
    })
}

function describeMove(moved: Moved, to: string, isSwitched: boolean): string {
  const next = isSwitched
    ? 'The settings name the new storage already: once every process runs with them, the old one can be deleted.'
    : `Now restart the site with ${to === 'disk' ? 'STORAGE_URL unset' : `STORAGE_URL='${to}'`}, then run this once more with the same setting, for what came in between.`
  return [
    `Copied ${moved.copied} files (${formatBytes(moved.copiedBytes)}) and read them back; ${moved.already} were copied before.`,
    ...(moved.deleted > 0
      ? [`Deleted ${moved.deleted} copies of files that the site has deleted since.`]
      : []),
    ...moved.missing.map((key) => `In neither storage: ${key}`),
    moved.isComplete ? next : 'Uploads continue. The run after the switch copies the rest.\n' + next,
  ].join('\n')
}
