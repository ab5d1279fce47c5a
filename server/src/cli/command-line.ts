import { userInfo } from 'node:os'
import { Command, CommanderError } from 'commander'
import { ConfigError, readConfig } from '../context/config.ts'
import { audit } from '@kinora/platform/audit.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { createLog } from '@kinora/platform/log.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import { readVersion } from '../context/version.ts'
import { type CommandLine, type Result, UsageError } from './command.ts'
import { assertOwnSite, describeSystemError } from './refusals.ts'
import { addAuditLog } from './commands/audit-log.ts'
import { addBackup } from './commands/backup.ts'
import { addCaptions } from './commands/captions.ts'
import { addCheck } from './commands/check.ts'
import { addComment } from './commands/comment.ts'
import { addDoctor } from './commands/doctor.ts'
import { addImport } from './commands/import.ts'
import { addInvitation } from './commands/invitation.ts'
import { addJobs } from './commands/jobs.ts'
import { addPicture } from './commands/picture.ts'
import { addPush } from './commands/push.ts'
import { addReport } from './commands/report.ts'
import { addRestore } from './commands/restore.ts'
import { addService } from './commands/systemd-service.ts'
import { addSettings } from './commands/settings.ts'
import { addStats } from './commands/stats.ts'
import { addStorage } from './commands/storage.ts'
import { addToken } from './commands/token.ts'
import { addUpgrade } from './commands/upgrade.ts'
import { addUser } from './commands/user.ts'
import { addVideo } from './commands/video.ts'

/** Every command, in the order of the help. */
const commands = [
  addDoctor,
  addCheck,
  addBackup,
  addRestore,
  addUser,
  addToken,
  addVideo,
  addImport,
  addComment,
  addReport,
  addInvitation,
  addAuditLog,
  addPicture,
  addJobs,
  addStorage,
  addCaptions,
  addSettings,
  addStats,
  addUpgrade,
  addService,
  addPush,
]

/** Commands that need no site on this machine. */
const withoutSite = new Set(['doctor', 'install', 'uninstall', 'push'])

const exitCodes = `
Exit codes: 0 success, 1 failure or problems found (see the message), 2 invalid command line.
Settings come from the environment, as for \`npm start\`: DATA_DIR or DATABASE_URL select the site.`

/**
 * Runs a command and returns its exit code. Commands load their modules when they run, so that help is fast.
 */
export async function runCommand(args: readonly string[]): Promise<number> {
  const wantsJson = args.includes('--json')
  let result: Result | undefined
  const program = build((found) => (result = found))
  try {
    program.hook('preAction', (_, action) => {
      if (!withoutSite.has(action.name())) assertOwnSite(readConfig())
    })
    program.hook('postAction', (_, action) => recordCommand(action))
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const isUsage = error instanceof UsageError
    const isExpected =
      isUsage || error instanceof StartupError || error instanceof ConfigError || error instanceof AppError
    const sentence = isExpected ? error.message : describeSystemError(error)
    if (wantsJson)
      console.log(
        JSON.stringify({ error: sentence ?? (error instanceof Error ? error.message : String(error)) }),
      )
    console.error(sentence ?? error)
    return isUsage ? 2 : 1
  }
  if (!result) return 0
  console.log(wantsJson ? JSON.stringify(result.value, null, 2) : result.text)
  return result.isBad ? 1 : 0
}

/** Commands that change nothing are not recorded, and neither is `push`: the site records what a token does. */
const unrecordedCommands = new Set([
  'doctor',
  'check',
  'stats',
  'list',
  'models',
  'sessions',
  'verify',
  'push',
])

/**
 * Writes the audit line of a command to standard error: who ran it, on what, with which options. None on a terminal, where it
 * would stand before the answer and nothing keeps it.
 */
function recordCommand(command: Command): void {
  if (process.stderr.isTTY) return
  if (unrecordedCommands.has(command.name()) && !command.opts().repair) return
  if (command.opts().dryRun) return
  const words: string[] = []
  for (let at: Command | null = command; at?.parent; at = at.parent) words.unshift(at.name())
  audit(createLog('info', 'cli'), {
    action: words.join(' '),
    actor: `operator ${userInfo().username}`,
    target: { arguments: command.processedArgs, options: command.opts() },
  })
}

/** Builds all commands. `respond` receives the result of the one that runs. */
export function build(respond: (result: Result) => void): Command {
  const program = new Command('kinora')
    .description('Administers a Kinora site, and uploads videos to one.')
    .version(readVersion())
    .exitOverride()
    .helpCommand(true)
    .showHelpAfterError('(see --help)')
    .addHelpText('after', exitCodes)
  const line: CommandLine = {
    program,
    group: (name, description) => program.command(name).description(description),
    command: (parent, usage, description, options = {}) =>
      parent.command(usage, options).description(description).option('--json', 'print JSON'),
    respond,
  }
  for (const add of commands) add(line)
  return program
}
