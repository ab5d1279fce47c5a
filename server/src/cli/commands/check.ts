import { type CommandLine, directoryOf, withContext } from '../command.ts'
import { printProgress } from '../output.ts'

export function addCheck({ program, command, respond }: CommandLine): void {
  command(program, 'check [backup]', 'Compare database, storage and counts while the site runs')
    .option('--hashes', 'also read every file and compare it with the newest backup', false)
    .option('--repair', 'repair what can be repaired', false)
    .addHelpText(
      'after',
      `
Missing or damaged files are copied from the newest backup, in [backup] or DATA_DIR/backups. Without a backup, thumbnails are
drawn from their video, profile pictures become a plain colour, and cover pictures are removed. Files that no row
mentions are deleted once they are a day old. Counts are counted again.
Ends with 0 when nothing is wrong or everything was repaired, with 1 when problems are left.`,
    )
    .action(
      async (directory: string | undefined, { hashes, repair }: { hashes: boolean; repair: boolean }) => {
        const [{ check }, { Repository }] = await Promise.all([
          import('../check/check.ts'),
          import('../../features/operations/backups/actions/repository.ts'),
        ])
        const progress = printProgress()
        const found = await withContext((context) =>
          check(
            context,
            new Repository(directoryOf(directory, context.config)),
            { hashes, repair },
            progress,
          ),
        )
        progress.done()
        const left = found.problems - found.repaired
        const more = found.problems - found.shown.length
        const text = [
          ...found.shown.map(
            ({ kind, subject, detail, repaired }) =>
              `${kind}: ${subject}: ${detail}${repaired ? ` Repaired: ${repaired}.` : ''}`,
          ),
          ...(more > 0 ? [`... and ${more} more.`] : []),
          `Checked ${found.videos} videos, ${found.accounts} accounts, ${found.objects} objects${hashes ? `, and read ${found.hashed} files` : ''}: ${summaryOf(found.problems, left, repair)}`,
        ].join('\n')
        respond({ text, value: { ok: left === 0, ...found }, isBad: left > 0 })
      },
    )
}

function summaryOf(problems: number, left: number, repair: boolean): string {
  if (problems === 0) return 'nothing is wrong.'
  if (left === 0) return `${problems} problems, all repaired.`
  return repair
    ? `${problems} problems, ${left} left.`
    : `${problems} problems. --repair repairs what it can.`
}
