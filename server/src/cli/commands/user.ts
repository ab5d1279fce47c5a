import { type Role, roles } from '@kinora/contract/accounts/roles.ts'
import { Option } from 'commander'
import { type CommandLine, choosePassword, assertConfirmed, wholeNumber, withContext } from '../command.ts'
import { readConfig } from '../../context/config.ts'
import { formatBytes } from '@kinora/platform/format-bytes.ts'
import { siteUrl } from '@kinora/platform/listen-address.ts'
import { page, table, withPlainId } from '../output.ts'

type QuotaOption = 'bytes' | 'videos' | 'dailyBytes' | 'videoMinutes'

export function addUser({ group, command, respond }: CommandLine): void {
  const user = group('user', 'Accounts')
  command(
    user,
    'list [text]',
    'List accounts, newest first; with a text those whose name or email contains it',
  )
    .option('--limit <count>', 'maximum number of rows', wholeNumber, 100)
    .action(async (text: string | undefined, { limit }: { limit: number }) => {
      const { listPeople } = await import('../../features/operations/administration/queries.ts')
      const { people } = await withContext(({ db }) => listPeople(db, { text, limit: limit + 1 }))
      respond(page(people.map(withPlainId), limit))
    })

  command(user, 'create <username> <email>', 'Create an account; prints its password unless one is given')
    .option('--fullname <name>', 'name to show (default: the username)')
    .option('--avatar <file>', 'profile picture (default: a plain colour)')
    .option('--password-stdin', 'read the password from standard input', false)
    .action(
      async (
        username: string,
        email: string,
        options: { fullname?: string; avatar?: string; passwordStdin: boolean },
      ) => {
        const { createUser } = await import('../accounts.ts')
        const { password, shown } = await choosePassword(options.passwordStdin)
        const { fullname = username, avatar } = options
        await withContext((context) => createUser(context, { username, email, fullname, password, avatar }))
        const note = shown ? ` Its password: ${shown}` : ''
        respond({
          text: `Created the account ${username}.${note}`,
          value: { username, email, password: shown },
        })
      },
    )

  command(
    user,
    'reset-password <name>',
    'Set a new password and end all sessions; name is a username or an email',
  )
    .option('--password-stdin', 'read the password from standard input', false)
    .action(async (name: string, options: { passwordStdin: boolean }) => {
      const { resetPasswordOf } = await import('../../features/operations/people/actions.ts')
      const { password, shown } = await choosePassword(options.passwordStdin)
      const { username } = await withContext((context) => resetPasswordOf(context, null, name, password))
      const note = shown ? ` The new one: ${shown}` : ''
      respond({
        text: `${username} has a new password and is signed out everywhere.${note}`,
        value: { username, password: shown },
      })
    })

  command(
    user,
    'remove-second-factor <name>',
    'Let somebody who lost the authenticator app sign in by the password alone',
  ).action(async (name: string) => {
    const { removeSecondFactorOf } = await import('../../features/operations/people/actions.ts')
    const { username } = await withContext((context) => removeSecondFactorOf(context, null, name))
    respond({ text: `${username} signs in by the password alone.`, value: { username } })
  })

  command(
    user,
    'password-link <name>',
    'Print a link with which somebody sets a new password, once, within 30 minutes',
  ).action(async (name: string) => {
    const { createPasswordLink } = await import('../../features/operations/people/actions.ts')
    const config = readConfig()
    const { username, code, expiresAt } = await withContext(
      (context) => createPasswordLink(context, null, name),
      config,
    )
    const url = new URL(`/reset-password#${code}`, config.publicUrl ?? siteUrl(config.host, config.port)).href
    respond({ text: `${username} sets a new password at ${url}`, value: { username, url, expiresAt } })
  })

  command(user, 'sessions <name>', 'List the sessions of an account, last used first').action(
    async (name: string) => {
      const { listSessionsOf } = await import('../../features/operations/people/actions.ts')
      const sessions = await withContext((context) => listSessionsOf(context, null, name))
      const rows = sessions.map(({ _id: id, device, createdAt, usedAt }) => ({
        id,
        device,
        createdAt,
        usedAt,
      }))
      respond({ text: table(rows) || 'No sessions.', value: rows })
    },
  )

  command(
    user,
    'sign-out <name> [session]',
    'End a session of an account, or without its id all of them with the API tokens',
  ).action(async (name: string, session: string | undefined) => {
    const { endSessionsOf } = await import('../../features/operations/people/actions.ts')
    const { username } = await withContext((context) => endSessionsOf(context, null, name, session))
    const text = session === undefined ? `${username} is signed out everywhere.` : 'The session has ended.'
    respond({ text, value: { username, session: session ?? null } })
  })

  const change = async (name: string, isSuspended: boolean, reason = '', hidesContent = false) => {
    const { changeSuspensionForReason } = await import('../../features/operations/moderation/actions.ts')
    const { username } = await withContext((context) =>
      changeSuspensionForReason(context, null, name, { isSuspended, reason, hidesContent }),
    )
    const outcome = isSuspended ? 'is signed out and cannot sign in.' : 'can sign in again.'
    respond({ text: `${username} ${outcome}`, value: { username, isSuspended } })
  }
  command(user, 'suspend <name>', 'Suspend an account and end its sessions')
    .option('--reason <text>', 'what the person reads at the login, and may answer once', '')
    .option('--hide', 'also hide its videos and comments; reinstating shows them again')
    .action((name: string, { reason, hide }: { reason: string; hide?: boolean }) =>
      change(name, true, reason, hide),
    )
  command(user, 'reinstate <name>', 'Let a suspended account sign in again').action((name: string) =>
    change(name, false),
  )

  command(user, 'role <name>', 'Change what an account may do on the site')
    .addOption(new Option('--to <role>', 'the new role').choices(roles).makeOptionMandatory())
    .action(async (name: string, { to }: { to: Role }) => {
      const { changeRole } = await import('../../features/operations/people/actions.ts')
      const { username } = await withContext((context) => changeRole(context, null, name, to))
      respond({ text: `${username} is ${to} now.`, value: { username, role: to } })
    })

  command(
    user,
    'quota <name>',
    'Change what an account may upload; an option left out: the quota of the site',
  )
    .option('--bytes <count>', 'bytes of all videos and unfinished uploads', Number)
    .option('--videos <count>', 'number of videos', Number)
    .option('--daily-bytes <count>', 'bytes of the uploads of 24 hours', Number)
    .option('--video-minutes <count>', 'length of the longest video', Number)
    .action(async (name: string, options: Partial<Record<QuotaOption, number>>) => {
      const [contract, { changeQuota }, { parseInput }] = await Promise.all([
        import('@kinora/contract/operations/people.ts'),
        import('../../features/operations/people/actions.ts'),
        import('@kinora/platform/http/routing/parse-input.ts'),
      ])
      const value = await withContext(async (context) => {
        const given = {
          quotaBytes: options.bytes ?? null,
          quotaVideos: options.videos ?? null,
          quotaDailyBytes: options.dailyBytes ?? null,
          quotaVideoMinutes: options.videoMinutes ?? null,
        }
        const quota = parseInput(contract.changeQuota.body, given, context.config)
        const { username } = await changeQuota(context, null, name, quota)
        return { username, ...quota }
      })
      respond({ text: `The quota of ${value.username} is changed.`, value })
    })

  command(user, 'export <name> <file>', 'Write the archive of an account to a new zip file').action(
    async (name: string, file: string) => {
      const { writeArchive } = await import('../export-account.ts')
      const { username, sizeBytes } = await withContext((context) => writeArchive(context, name, file))
      respond({
        text: `Wrote ${username} to ${file} (${formatBytes(sizeBytes)}).`,
        value: { username, file, sizeBytes },
      })
    },
  )

  command(
    user,
    'import <name> <file>',
    'Import an archive into an account; what is there already stays',
  ).action(async (name: string, file: string) => {
    const [{ importFile }, { StartupError }] = await Promise.all([
      import('../import-account.ts'),
      import('@kinora/platform/startup-error.ts'),
    ])
    const value = await withContext((context) => importFile(context, name, file))
    if (value.failure !== null) throw new StartupError(value.failure)
    const lines = [
      ...value.report.counts.map(
        ({ kind, imported, present, skipped }) =>
          `${kind}: ${imported} imported, ${present} present, ${skipped} skipped`,
      ),
      ...value.report.problems.map(({ kind, name: item, reason }) => `${kind}: ${item}: ${reason}`),
    ]
    respond({ text: [`Imported ${file} into ${value.username}.`, ...lines].join('\n'), value })
  })

  command(user, 'delete <name>', 'Delete an account with its videos, comments, likes and subscriptions')
    .option('--yes', 'do not ask: there is no way back', false)
    .action(async (name: string, { yes }: { yes: boolean }) => {
      assertConfirmed(yes, `Deleting ${name} cannot be undone`)
      const { deletePerson } = await import('../../features/operations/people/actions.ts')
      const videos = await withContext((context) => deletePerson(context, null, name))
      respond({ text: `Deleted ${name} and ${videos} videos.`, value: { name, videos } })
    })
}
