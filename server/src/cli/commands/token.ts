import { type CommandLine, withContext } from '../command.ts'
import { table, withPlainId } from '../output.ts'

export function addToken({ group, command, respond }: CommandLine): void {
  const token = group('token', 'API tokens of accounts')
  command(token, 'list <name>', 'List the API tokens of an account; name is a username or an email').action(
    async (name: string) => {
      const [{ getAccount }, { listApiTokens }] = await Promise.all([
        import('../../features/operations/administration/queries.ts'),
        import('../../features/accounts/api-tokens/actions.ts'),
      ])
      const tokens = await withContext(async ({ db }) => listApiTokens(db, (await getAccount(db, name)).id))
      const rows = tokens.map(withPlainId)
      const text = table(rows.map(({ scopes, ...row }) => ({ ...row, scopes: scopes.join(' ') })))
      respond({ text: text || 'No API tokens.', value: rows })
    },
  )

  command(
    token,
    'revoke <name> [id]',
    'Revoke an API token of an account, or all of them without an id',
  ).action(async (name: string, id: string | undefined) => {
    const { revokeTokensOf } = await import('../../features/operations/people/actions.ts')
    const { username } = await withContext((context) => revokeTokensOf(context, null, name, id))
    respond({
      text: id === undefined ? `${username} has no API tokens now.` : `Revoked the API token ${id}.`,
      value: { username, id: id ?? null },
    })
  })
}
