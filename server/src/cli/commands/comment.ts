import { type CommandLine, assertConfirmed, wholeNumber, withContext } from '../command.ts'
import { page, withPlainId } from '../output.ts'

export function addComment({ group, command, respond }: CommandLine): void {
  const comment = group('comment', 'Comments')
  command(
    comment,
    'list [text]',
    'List comments, newest first; with a text those that contain it, or whose author or video it names',
  )
    .option('--limit <count>', 'so many at most', wholeNumber, 100)
    .action(async (text: string | undefined, { limit }: { limit: number }) => {
      const { listComments } = await import('../../features/administration/queries.ts')
      const { comments } = await withContext(({ db }) => listComments(db, { text, limit: limit + 1 }))
      respond(page(comments.map(withPlainId), limit))
    })

  command(comment, 'delete <id>', 'Delete a comment with its likes')
    .option('--yes', 'do not ask: there is no way back', false)
    .action(async (id: string, { yes }: { yes: boolean }) => {
      assertConfirmed(yes, `Deleting ${id} cannot be undone`)
      const [{ commentNotFound }, { deleteAnyComments }] = await Promise.all([
        import('../../features/comments/queries.ts'),
        import('../../features/administration/actions.ts'),
      ])
      await withContext(async (context) => {
        if ((await deleteAnyComments(context, null, [id])).length === 0) throw commentNotFound()
      })
      respond({ text: `Deleted ${id}.`, value: { id } })
    })
}
