import { type CommandLine, wholeNumber, withContext } from '../command.ts'
import { page, withPlainId } from '../output.ts'

export function addAuditLog({ group, command, respond }: CommandLine): void {
  const log = group('audit-log', 'What moderators, administrators and this command line did')
  command(log, 'list [text]', 'List entries, newest first; with a text those that contain it')
    .option('--limit <count>', 'maximum number of rows', wholeNumber, 100)
    .action(async (text: string | undefined, { limit }: { limit: number }) => {
      const { listAuditLog } = await import('../../features/operations/administration/queries.ts')
      const { entries } = await withContext(({ db }) => listAuditLog(db, { text, limit: limit + 1 }))
      respond(page(entries.map(withPlainId), limit))
    })
}
