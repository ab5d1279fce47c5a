import { type CommandLine, assertConfirmed, wholeNumber, withContext } from '../command.ts'
import { page } from '../output.ts'

export function addComment({ group, command, respond }: CommandLine): void {
  const comment = group('comment', 'Comments')
  command(
    comment,
    'list [text]',
    'List comments, newest first; with a text those that contain it, or whose author or video it names',
  )
    .option('--limit <count>', 'so many at most', wholeNumber, 100)
    .action(async (text: string | undefined, { limit }: { limit: number }) => {
      const { listComments } = await import('../queries.ts')
      const rows = await withContext(({ db }) => listComments(db, text ?? '', limit + 1))
      respond(page(rows, limit))
    })

  command(comment, 'delete <id>', 'Delete a comment with its likes')
    .option('--yes', 'do not ask: there is no way back', false)
    .action(async (id: string, { yes }: { yes: boolean }) => {
      assertConfirmed(yes, `Deleting ${id} cannot be undone`)
      const { commentNotFound, deleteComment } = await import('../../features/comments/queries.ts')
      await withContext(async ({ db }) => {
        if (!(await deleteComment(db, id))) throw commentNotFound()
      })
      respond({ text: `Deleted ${id}.`, value: { id } })
    })
}
