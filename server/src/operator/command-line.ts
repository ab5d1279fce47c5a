import path from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { Command, CommanderError, type CommandOptions, InvalidArgumentError } from 'commander'
import { type Config, ConfigError, readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { AppError } from '../platform/errors.ts'
import { StartupError } from '../platform/startup-error.ts'
import type { Moved } from './move-storage.ts'
import { facts, formatBytes, table, tellProgress } from './output.ts'

/** What a command answers: the text for people, the value for `--json`, and whether all is well. */
interface Result {
  text: string
  value: unknown
  isBad?: boolean
}

const exitCodes = `
Exit codes: 0 done and well, 1 something is wrong (the message says what), 2 the command was not understood.
Settings come from the environment, as for \`npm start\`: DATA_DIR or DATABASE_URL say which site is meant.`

/**
 * Runs a command of the operator's and answers the exit code. What each needs is loaded when it runs, so that help
 * costs nothing.
 */
export async function runCommand(args: readonly string[]): Promise<number> {
  const wantsJson = args.includes('--json')
  let result: Result | undefined
  const program = build((found) => (result = found))
  try {
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const isExpected =
      error instanceof StartupError || error instanceof ConfigError || error instanceof AppError
    if (wantsJson)
      console.log(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }))
    console.error(isExpected ? error.message : error)
    return 1
  }
  if (!result) return 0
  console.log(wantsJson ? JSON.stringify(result.value, null, 2) : result.text)
  return result.isBad ? 1 : 0
}

function build(answer: (result: Result) => void): Command {
  const program = new Command('kinora')
    .description('Looks after a Kinora site.')
    .exitOverride()
    .helpCommand(true)
    .showHelpAfterError('(--help tells more)')
    .addHelpText('after', exitCodes)
  /** A command; what it answers goes out as text or JSON. */
  const command = (parent: Command, usage: string, description: string, options: CommandOptions = {}) =>
    parent.command(usage, options).description(description).option('--json', 'answer JSON, for programs')
  const group = (name: string, description: string) => program.command(name).description(description)

  command(program, 'doctor', 'Say in plain words what is wrong with this machine or this site').action(
    async () => {
      const { examine } = await import('./doctor.ts')
      const findings = await examine()
      const isBad = findings.some(({ state }) => state === 'bad')
      const signs = { good: '✓', note: '·', bad: '✗' }
      const lines = findings.map(({ about, state, says }) => `${signs[state]} ${about.padEnd(10)} ${says}`)
      lines.push(isBad ? 'What is marked ✗ is to be mended.' : 'All is well.')
      answer({ text: lines.join('\n'), value: { ok: !isBad, findings }, isBad })
    },
  )
  addBackups(program, group('backup', 'Back the site up, or look at the backups there are'), command, answer)
  addUsers(group('user', 'Accounts'), command, answer)
  addVideos(group('video', 'Videos'), command, answer)
  addJobs(group('jobs', 'Background work'), command, answer)
  addStorage(group('storage', 'Where sources and pictures are kept'), command, answer)

  command(program, 'stats', 'Count what the site holds').action(async () => {
    const { countAll } = await import('./queries.ts')
    const stats = await withContext(({ db, clock }) => countAll(db, clock.now()))
    answer({ text: facts(stats), value: stats })
  })
  command(program, 'upgrade', 'Bring the database up to this version, after a backup of it').action(
    async () => {
      const { withDatabase } = await import('./site.ts')
      const { upgradeDatabase } = await import('./backup/upgrade.ts')
      const config = readConfig()
      const done = await withDatabase(config, (url) => upgradeDatabase(config, url))
      const text =
        done.applied.length === 0
          ? 'The database is as this version needs it.'
          : `Applied ${done.applied.join(', ')}.${done.backup ? ` The database as it was: ${done.backup}` : ''}`
      answer({ text, value: done })
    },
  )
  return program
}

type MakeCommand = (parent: Command, usage: string, description: string, options?: CommandOptions) => Command
type Answer = (result: Result) => void

async function withContext<T>(work: (context: Context) => Promise<T>, config = readConfig()): Promise<T> {
  const site = await import('./site.ts')
  return site.withContext(config, work)
}

function addBackups(program: Command, backup: Command, command: MakeCommand, answer: Answer): void {
  const directoryOf = (given: string | undefined, config: Config) =>
    given ?? path.join(config.dataDir, 'backups')
  const where = 'directory of backups (default: DATA_DIR/backups)'

  command(backup, 'create [directory]', 'Back up database, sources and pictures while the site runs', {
    isDefault: true,
  })
    .option('--keep <count>', 'then delete all but the newest so many', wholeNumber)
    .action(async (directory: string | undefined, { keep }: { keep?: number }) => {
      const [{ backUp }, { Repository }, { createStorage }, { withDatabase }] = await Promise.all([
        import('./backup/back-up.ts'),
        import('./backup/repository.ts'),
        import('../platform/storage/create-storage.ts'),
        import('./site.ts'),
      ])
      const config = readConfig()
      const repository = new Repository(directoryOf(directory, config))
      const progress = tellProgress()
      const done = await withDatabase(config, async (databaseUrl) =>
        backUp({ databaseUrl, storage: await createStorage(config), repository }, new Date(), progress),
      )
      const pruned = keep === undefined ? undefined : await repository.prune(keep)
      progress.done()
      const lines = [
        `Backed up ${done.rows} rows and ${done.files} files (${formatBytes(done.bytes)}) as ${done.snapshot} in ${repository.root}.`,
        ...(pruned
          ? [`Deleted ${pruned.snapshots} older backups and ${pruned.files} files that only they had.`]
          : []),
        ...done.missing.map((key) => `Lost before this backup: ${key}`),
      ]
      answer({
        text: lines.join('\n'),
        value: { ...done, directory: repository.root, pruned },
        isBad: done.missing.length > 0,
      })
    })

  command(backup, 'list [directory]', 'List the backups').action(async (directory: string | undefined) => {
    const { Repository } = await import('./backup/repository.ts')
    const repository = new Repository(directoryOf(directory, readConfig()))
    const rows = await Promise.all(
      (await repository.list()).map(async (snapshot) => {
        const { tables, files, missing } = await repository.readManifest(snapshot)
        const count = tables.reduce((sum, { rows: some }) => sum + some, 0)
        return {
          snapshot,
          rows: count,
          files: files?.count ?? null,
          bytes: files?.bytes ?? null,
          missing: missing.length,
        }
      }),
    )
    answer({ text: table(rows) || `There are no backups in ${repository.root}.`, value: rows })
  })

  command(
    backup,
    'verify [directory]',
    'Restore a backup into a scratch place, compare every row, read every file',
  )
    .option('--snapshot <name>', 'which one (default: the newest)')
    .action(async (directory: string | undefined, { snapshot }: { snapshot?: string }) => {
      const [{ verify }, { Repository }] = await Promise.all([
        import('./backup/verify.ts'),
        import('./backup/repository.ts'),
      ])
      const repository = new Repository(directoryOf(directory, readConfig()))
      const progress = tellProgress()
      const found = await verify(repository, await repository.find(snapshot), progress)
      progress.done()
      const isBad = found.problems.length > 0
      const text = isBad
        ? [`${found.snapshot} cannot be trusted:`, ...found.problems.map((problem) => `  ${problem}`)].join(
            '\n',
          )
        : `${found.snapshot} is good: ${found.tables} tables with ${found.rows} rows were restored and compared, ${found.files} files were read.`
      answer({ text, value: { ok: !isBad, ...found }, isBad })
    })
  backup.addHelpText('after', `\nDirectories: ${where}.`)

  command(program, 'restore [directory]', 'Put a backup where there is no site yet; the site must be stopped')
    .option('--snapshot <name>', 'which one (default: the newest)')
    .option('--replace', 'delete the site that is there, and put the backup in its place', false)
    .action(
      async (
        directory: string | undefined,
        { snapshot, replace }: { snapshot?: string; replace: boolean },
      ) => {
        const [{ restore, resumePreparing }, { Repository }, { createStorage }, { withStoppedSite }] =
          await Promise.all([
            import('./backup/restore.ts'),
            import('./backup/repository.ts'),
            import('../platform/storage/create-storage.ts'),
            import('./site.ts'),
          ])
        const config = readConfig()
        const repository = new Repository(directoryOf(directory, config))
        const wanted = await repository.find(snapshot)
        const progress = tellProgress()
        const done = await withStoppedSite(config, async (databaseUrl) => {
          const restored = await restore(
            { databaseUrl, storage: await createStorage(config), repository },
            wanted,
            { replace },
            progress,
          )
          await withContext(resumePreparing, { ...config, databaseUrl })
          return restored
        })
        progress.done()
        answer({
          text: `Restored ${done.rows} rows and ${done.files} files of ${done.snapshot}.`,
          value: done,
        })
      },
    )
}

function addUsers(user: Command, command: MakeCommand, answer: Answer): void {
  command(
    user,
    'list [text]',
    'List accounts, newest first; with a text those whose name or email contains it',
  )
    .option('--limit <count>', 'so many at most', wholeNumber, 100)
    .action(async (text: string | undefined, { limit }: { limit: number }) => {
      const { listUsers } = await import('./queries.ts')
      const rows = await withContext(({ db }) => listUsers(db, text ?? '', limit))
      answer({ text: table(rows) || 'There is none.', value: rows })
    })

  command(user, 'create <username> <email>', 'Make an account; prints its password unless that is given')
    .option('--fullname <name>', 'name to show (default: the username)')
    .option('--avatar <file>', 'profile picture (default: a plain colour)')
    .option('--password-stdin', 'read the password from standard input', false)
    .action(
      async (
        username: string,
        email: string,
        options: { fullname?: string; avatar?: string; passwordStdin: boolean },
      ) => {
        const { createUser } = await import('./accounts.ts')
        const { password, shown } = await choosePassword(options.passwordStdin)
        const { fullname = username, avatar } = options
        await withContext((context) => createUser(context, { username, email, fullname, password, avatar }))
        const note = shown ? ` Its password: ${shown}` : ''
        answer({ text: `Made the account ${username}.${note}`, value: { username, email, password: shown } })
      },
    )

  command(
    user,
    'reset-password <name>',
    'Set a new password and end all sessions; name is a username or an email',
  )
    .option('--password-stdin', 'read the password from standard input', false)
    .action(async (name: string, options: { passwordStdin: boolean }) => {
      const [{ getAccount }, { resetPassword }] = await Promise.all([
        import('./queries.ts'),
        import('../features/users/actions.ts'),
      ])
      const { password, shown } = await choosePassword(options.passwordStdin)
      const { username } = await withContext(async (context) => {
        const account = await getAccount(context.db, name)
        await resetPassword(context, account.id, password)
        return account
      })
      const note = shown ? ` The new one: ${shown}` : ''
      answer({
        text: `${username} has a new password and is signed out everywhere.${note}`,
        value: { username, password: shown },
      })
    })

  const change = (usage: string, description: string, isSuspended: boolean, said: string) =>
    command(user, usage, description).action(async (name: string) => {
      const [{ getAccount }, { suspendUser, reinstateUser }] = await Promise.all([
        import('./queries.ts'),
        import('../features/users/actions.ts'),
      ])
      const { username } = await withContext(async (context) => {
        const account = await getAccount(context.db, name)
        await (isSuspended ? suspendUser : reinstateUser)(context, account.id)
        return account
      })
      answer({ text: `${username} ${said}`, value: { username, isSuspended } })
    })
  change(
    'suspend <name>',
    'Sign an account out and keep it out; what it made stays',
    true,
    'is signed out and cannot sign in.',
  )
  change('reinstate <name>', 'Let a suspended account sign in again', false, 'can sign in again.')

  command(user, 'delete <name>', 'Delete an account with its videos, comments, likes and subscriptions')
    .option('--yes', 'do not ask: there is no way back', false)
    .action(async (name: string, { yes }: { yes: boolean }) => {
      demandYes(yes, `Deleting ${name} cannot be undone`)
      const { deleteAccount } = await import('./accounts.ts')
      const videos = await withContext((context) => deleteAccount(context, name))
      answer({ text: `Deleted ${name} and ${videos} videos.`, value: { name, videos } })
    })
}

function addVideos(video: Command, command: MakeCommand, answer: Answer): void {
  command(
    video,
    'list [text]',
    'List videos, newest first; with a text those whose title or owner contains it',
  )
    .option('--limit <count>', 'so many at most', wholeNumber, 100)
    .action(async (text: string | undefined, { limit }: { limit: number }) => {
      const { listVideos } = await import('./queries.ts')
      const rows = await withContext(({ db }) => listVideos(db, text ?? '', limit))
      answer({ text: table(rows) || 'There is none.', value: rows })
    })

  command(video, 'takedown <id>', 'Hide a video from everybody; its owner reads the reason on the dashboard')
    .requiredOption('--reason <text>', 'what the owner reads')
    .action(async (id: string, { reason }: { reason: string }) => {
      const { updateTakedown } = await import('../features/videos/queries.ts')
      await withContext(({ db }) => updateTakedown(db, id, reason))
      answer({
        text: `${id} is taken down. Players that are open may go on for some seconds; caches in front keep what they have.`,
        value: { id, reason },
      })
    })

  command(video, 'reinstate <id>', 'Bring a video back that was taken down').action(async (id: string) => {
    const { updateTakedown } = await import('../features/videos/queries.ts')
    await withContext(({ db }) => updateTakedown(db, id, null))
    answer({ text: `${id} is back.`, value: { id } })
  })

  command(video, 'delete <id>', 'Delete a video with its files, comments and likes')
    .option('--yes', 'do not ask: there is no way back', false)
    .action(async (id: string, { yes }: { yes: boolean }) => {
      demandYes(yes, `Deleting ${id} cannot be undone`)
      const { deleteAnyVideo } = await import('../features/videos/actions.ts')
      await withContext((context) => deleteAnyVideo(context, id))
      answer({ text: `Deleted ${id}.`, value: { id } })
    })

  command(video, 'reprocess <id>', 'Throw away what was made of a video and make it anew').action(
    async (id: string) => {
      const { reprocess } = await import('./reprocess.ts')
      await withContext((context) => reprocess(context, id))
      answer({ text: `${id} is being made anew; it plays meanwhile.`, value: { id } })
    },
  )
}

function addJobs(jobs: Command, command: MakeCommand, answer: Answer): void {
  command(jobs, 'list', 'Say what waits, runs and has failed')
    .option('--failed', 'list the jobs that failed, with the reason', false)
    .option('--limit <count>', 'so many at most', wholeNumber, 50)
    .action(async ({ failed, limit }: { failed: boolean; limit: number }) => {
      if (failed) {
        const rows = await withContext((context) => context.jobs.listFailed(limit))
        const shown = rows.map((row) => ({ ...row, data: JSON.stringify(row.data) }))
        answer({ text: table(shown) || 'No job has failed of late.', value: rows })
      } else {
        const rows = await withContext((context) => context.jobs.summarize())
        const shown = rows.map((row) => ({
          ...row,
          oldestWaitingSeconds: Math.round(row.oldestWaitingSeconds),
        }))
        answer({ text: table(shown), value: rows })
      }
    })

  command(jobs, 'retry [id]', 'Have a failed job done again, or with --all every one of them')
    .option('--all', 'every failed job', false)
    .action(async (id: string | undefined, { all }: { all: boolean }) => {
      if ((id === undefined) !== all) throw new StartupError('Say the id of one failed job, or --all.')
      const retried = await withContext(async (context) => {
        const failed = await context.jobs.listFailed(10_000)
        const wanted = failed.filter((job) => all || job.id === id)
        if (wanted.length === 0 && !all) throw new AppError('not_found', `There is no failed job ${id}`)
        await context.jobs.retryFailed(wanted)
        return wanted.length
      })
      answer({ text: `${retried} jobs are done again.`, value: { retried } })
    })
}

function addStorage(storage: Command, command: MakeCommand, answer: Answer): void {
  command(
    storage,
    'move <from> <to>',
    'Copy all sources and pictures to another storage while the site runs, every byte verified',
  )
    .addHelpText(
      'after',
      `
A place is disk (DATA_DIR/storage) or s3://bucket?endpoint=https://host&region=name, with AWS_ACCESS_KEY_ID and
AWS_SECRET_ACCESS_KEY set. Nothing is deleted in <from>. Stopped at any point, the same command goes on. When it
says so, restart the site with the new STORAGE_URL and run it once more, for what came in between.`,
    )
    .action(async (from: string, to: string) => {
      const [{ identifyDatabase, moveStorage, openPlace }, { MoveJournal }, { withDatabase }] =
        await Promise.all([import('./move-storage.ts'), import('./move-journal.ts'), import('./site.ts')])
      const config = readConfig()
      if (from === to) throw new StartupError('From and to are the same storage.')
      const [source, target] = [await openPlace(from, config), await openPlace(to, config)]
      const progress = tellProgress()
      const moved = await withDatabase(config, async (databaseUrl) => {
        const names = [await identifyDatabase(databaseUrl), from, to]
        await using journal = await MoveJournal.open(config.dataDir, names)
        // awaited here: the journal closes when this function ends
        return await moveStorage({ databaseUrl, from: source, to: target, journal }, progress)
      })
      await Promise.all([source.close(), target.close()])
      progress.done()
      const isSwitched = (config.storageUrl ?? 'disk') === to
      answer({
        text: describeMove(moved, to, isSwitched),
        value: { from, to, ...moved, isSwitched },
        isBad: moved.missing.length > 0,
      })
    })
}

function describeMove(moved: Moved, to: string, isSwitched: boolean): string {
  const next = isSwitched
    ? 'The settings name the new storage already: once every process runs with them, the old one can be deleted.'
    : `Now restart the site with ${to === 'disk' ? 'STORAGE_URL unset' : `STORAGE_URL='${to}'`}, then run this once more with the same setting, for what came in between.`
  return [
    `Copied ${moved.copied} files (${formatBytes(moved.copiedBytes)}) and read them back; ${moved.already} were copied before.`,
    ...(moved.deleted > 0 ? [`Deleted ${moved.deleted} copies of what the site has deleted meanwhile.`] : []),
    ...moved.missing.map((key) => `In neither storage: ${key}`),
    moved.isComplete
      ? next
      : 'More comes in all the time; what is left is copied by the run after the switch.\n' + next,
  ].join('\n')
}

async function choosePassword(fromStdin: boolean): Promise<{ password: string; shown: string | undefined }> {
  if (fromStdin) return { password: (await readAll(process.stdin)).replace(/\r?\n$/, ''), shown: undefined }
  const { newPassword } = await import('./accounts.ts')
  const password = newPassword()
  return { password, shown: password }
}

function demandYes(isSaid: boolean, sentence: string): void {
  if (!isSaid) throw new StartupError(`${sentence}: say --yes if that is meant.`)
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('A whole number from 1 on.')
  return Number(text)
}
