import { type CommandLine, wholeNumber, withContext } from '../command.ts'
import { table, withPlainId } from '../output.ts'

export function addInvitation({ group, command, respond }: CommandLine): void {
  const invitation = group('invitation', 'Links with which people register')
  command(invitation, 'list', 'List invitations with those who came, newest first').action(async () => {
    const { listInvitations } = await import('../../features/accounts/invitations/queries.ts')
    const rows = (await withContext(({ db }) => listInvitations(db))).map(withPlainId)
    const text = table(rows.map(({ invited, ...row }) => ({ ...row, invited: invited.join(' ') })))
    respond({ text: text || 'There is none.', value: rows })
  })

  command(invitation, 'create', 'Create an invitation; the link is /register?invitation= and its id')
    .option('--uses <count>', 'people who may register with it', wholeNumber, 1)
    .option('--days <count>', 'days until it expires', wholeNumber, 7)
    .option('--note <text>', 'whom it is for')
    .action(async ({ uses, days, note }: { uses: number; days: number; note?: string }) => {
      const [contract, { createInvitation }, { parseInput }] = await Promise.all([
        import('@kinora/contract/operations/administration.ts'),
        import('../../features/operations/administration/actions/invitations.ts'),
        import('@kinora/platform/http/routing/parse-input.ts'),
      ])
      const value = await withContext(async (context) => {
        const given = { maxUses: uses, days, note }
        const input = parseInput(contract.createInvitation.body, given, context.config)
        return withPlainId(await createInvitation(context, null, input))
      })
      respond({ text: `Created the invitation ${value.id}.`, value })
    })

  command(invitation, 'delete <id>', 'Delete an invitation; those who came with it stay').action(
    async (id: string) => {
      const { deleteInvitation } =
        await import('../../features/operations/administration/actions/invitations.ts')
      await withContext((context) => deleteInvitation(context, null, id))
      respond({ text: 'Deleted the invitation.', value: { id } })
    },
  )
}
