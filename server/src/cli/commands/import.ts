import type { FolderReport } from '../../features/portability/folder-imports/actions/import-folder.ts'
import { type CommandLine, UsageError, withContext } from '../command.ts'

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
    .option('--dry-run', 'change nothing, and say what would be done', false)
    .action(
      async (folder: string, options: { channel: string; link: boolean; copy: boolean; dryRun: boolean }) => {
        if (options.link && options.copy) throw new UsageError('--link and --copy exclude each other.')
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
          return importFolder(
            context,
            { folder, ownerId, placement, isDryRun: options.dryRun, onProgress: showProgress },
            ending.signal,
          )
        })
        respond({
          text: textOf(report, options.dryRun),
          value: report,
          isBad: report.failed.length > 0 || report.isInterrupted,
        })
      },
    )
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
