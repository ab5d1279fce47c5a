import type { FolderReport } from '../../features/portability/folder-imports/rules.ts'
import { setTimeout } from 'node:timers/promises'
import { type CommandLine, UsageError, withContext } from '../command.ts'

interface ImportOptions {
  channel: string
  link: boolean
  copy: boolean
  playlists: boolean
  watch: boolean
  dryRun: boolean
}

/** Time between two imports of a folder that is watched. */
const watchMs = 60_000

/** Lines of each list of a report; `--json` has all. */
const maxShown = 20

export function addImport({ group, command, respond }: CommandLine): void {
  const imports = group('import', 'Collections of files')
  command(
    imports,
    'folder <path>',
    'Import the videos below a folder as private videos. The files stay where they are, and are played from there. Repeat it to add new ones',
  )
    .requiredOption('--channel <name>', 'username or email of the account that gets the videos')
    .option('--link', 'hard links: deleted files stay playable; on the file system of DATA_DIR only', false)
    .option('--copy', 'copy the files into the storage', false)
    .option('--playlists', 'a private playlist for each directory below the folder', false)
    .option('--watch', 'repeat it every minute, until it is ended', false)
    .option('--dry-run', 'change nothing, and say what would be done', false)
    .action(async (folder: string, options: ImportOptions) => {
      if (options.link && options.copy) throw new UsageError('--link and --copy exclude each other.')
      if (options.watch && options.dryRun) throw new UsageError('--watch and --dry-run exclude each other.')
      const [{ getAccount }, { importFolder }] = await Promise.all([
        import('../../features/operations/administration/queries.ts'),
        import('../../features/portability/folder-imports/actions/import-folder.ts'),
      ])
      const ending = new AbortController()
      const end = () => ending.abort()
      process.once('SIGINT', end).once('SIGTERM', end)
      const report = await withContext(async (context) => {
        const { id: ownerId } = await getAccount(context.db, options.channel)
        const placement = options.link ? 'link' : options.copy ? 'copy' : 'reference'
        await context.siteSettings.load()
        const input = {
          folder,
          ownerId,
          placement,
          isDryRun: options.dryRun,
          hasPlaylists: options.playlists,
          onProgress: showProgress,
        } as const
        if (!options.watch) return importFolder(context, input, ending.signal)
        for (;;) {
          const latest = await importFolder(context, { ...input, settleMs: watchMs / 6 }, ending.signal)
          if (latest.isInterrupted) return latest
          if (latest.imported.length + latest.renamed.length + latest.restored.length > 0)
            respond({ text: textOf(latest, false), value: latest })
          await setTimeout(watchMs, undefined, { signal: ending.signal }).catch(() => undefined)
          if (ending.signal.aborted) return latest
        }
      })
      respond({
        text: textOf(report, options.dryRun),
        value: report,
        isBad: !options.watch && (report.failed.length > 0 || report.isInterrupted),
      })
    })
}

/** One line on the terminal that counts. */
function showProgress({ imported, known, failed }: FolderReport): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r${imported.length} imported, ${known} here already, ${failed.length} failed `)
}

function textOf(report: FolderReport, isDryRun: boolean): string {
  const { imported, known, restored, renamed, changed, missing, failed, leftOut, links, isInterrupted } =
    report
  const list = (title: string, lines: string[]) =>
    lines.length === 0
      ? []
      : [
          `${title}: ${lines.length}`,
          ...lines.slice(0, maxShown).map((line) => `  ${line}`),
          ...(lines.length > maxShown ? [`  … and ${lines.length - maxShown} more`] : []),
        ]
  return [
    ...(isInterrupted ? ['Interrupted. Run it again to continue.'] : []),
    ...list(isDryRun ? 'Would be imported' : 'Imported, as private videos', imported),
    ...(known > 0 ? [`Here already: ${known}`] : []),
    ...list('Playable again', restored),
    ...list('Playlists created', report.playlists),
    ...list(
      'Renamed',
      renamed.map(({ from, to }) => `${from} → ${to}`),
    ),
    ...list('Changed since their import, left as they are', changed),
    ...list('Missing: their videos stay, and do not play', missing),
    ...list(
      'Not read, and left out',
      leftOut.map(({ path, reason }) => `${path}: ${reason}`),
    ),
    ...list(
      'Failed',
      failed.map(({ path, reason }) => `${path}: ${reason}`),
    ),
    ...(links > 0 ? [`Symbolic links, not followed: ${links}`] : []),
    ...(imported.length + known + restored.length + failed.length + renamed.length + changed.length === 0
      ? ['No video files found.']
      : []),
  ].join('\n')
}
