import { type CommandLine, withContext } from '../command.ts'

export function addPicture({ group, command, respond }: CommandLine): void {
  const picture = group('picture', 'Pictures of accounts')
  const change = (
    usage: string,
    description: string,
    action: 'resetAvatar' | 'removeCover',
    outcome: string,
  ) =>
    command(picture, usage, description).action(async (name: string) => {
      const [{ getAccount }, accounts] = await Promise.all([
        import('../../features/operations/administration/queries.ts'),
        import('../accounts.ts'),
      ])
      const { username } = await withContext(async (context) => {
        const account = await getAccount(context.db, name)
        await accounts[action](context, account)
        return account
      })
      respond({ text: `${username} ${outcome}`, value: { username } })
    })
  change(
    'reset-avatar <name>',
    'Replace a profile picture by a plain colour; name is a username or an email',
    'resetAvatar',
    'has a plain profile picture.',
  )
  change('remove-cover <name>', 'Remove a cover picture', 'removeCover', 'has no cover picture.')
}
