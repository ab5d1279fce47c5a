import { operationErrors } from '@kinora/contract/operations/errors.ts'
import type { Context } from '../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { type CommandLine, assertConfirmed, wholeNumber, withContext } from '../command.ts'
import { page, withPlainId } from '../output.ts'

export function addComment({ group, command, respond }: CommandLine): void {
  const comment = group('comment', 'Comments')
  command(
    comment,
    'list [text]',
    'List comments, newest first; with a text those that contain it, or whose author or video it names',
  )
    .option('--limit <count>', 'maximum number of rows', wholeNumber, 100)
    .action(async (text: string | undefined, { limit }: { limit: number }) => {
      const { listComments } = await import('../../features/operations/administration/queries.ts')
      const { comments } = await withContext(({ db }) => listComments(db, { text, limit: limit + 1 }))
      const listed = page(comments.map(withPlainId), limit)
      // see `listComments`
      const limitation = text ? '\nOnly the newest 100,000 comments are searched.' : ''
      respond({ ...listed, text: listed.text + limitation })
    })

  command(comment, 'delete <id>', 'Delete a comment; for 30 days it can be restored')
    .option('--reason <text>', 'what its author reads, and may answer once', '')
    .option('--yes', 'do not ask', false)
    .action(async (id: string, { yes, reason }: { yes: boolean; reason: string }) => {
      assertConfirmed(yes, `Nobody will see ${id} any more`)
      const { deleteCommentsForReason } = await import('../../features/operations/moderation/actions.ts')
      await changeOne(id, (context) => deleteCommentsForReason(context, null, [id], reason))
      respond({ text: `Deleted ${id}.`, value: { id } })
    })

  command(comment, 'restore <id>', 'Restore a comment that was deleted within the last 30 days').action(
    async (id: string) => {
      const { restoreComments } = await import('../../features/operations/moderation/actions.ts')
      await changeOne(id, (context) => restoreComments(context, null, [id]))
      respond({ text: `Restored ${id}.`, value: { id } })
    },
  )

  const hold = async (id: string, isHeld: boolean) => {
    const { changeAnyHeld } = await import('../../features/operations/administration/actions/comments.ts')
    await changeOne(id, (context) => changeAnyHeld(context, null, [id], isHeld))
    respond({ text: isHeld ? `${id} waits for approval.` : `${id} is published.`, value: { id, isHeld } })
  }
  command(comment, 'approve <id>', 'Publish a comment that waits for approval').action((id: string) =>
    hold(id, false),
  )
  command(comment, 'hold <id>', 'Hide a published comment until somebody approves it').action((id: string) =>
    hold(id, true),
  )
}

/** Throws `not_found` where `change` finds no such comment. */
async function changeOne(id: string, change: (context: Context) => Promise<string[]>): Promise<void> {
  const changed = await withContext(change)
  if (changed.length === 0) throw new AppError(operationErrors.commentToChangeNotFound, { id })
}
