import path from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { type Command, type CommandOptions, InvalidArgumentError } from 'commander'
import { type Config, readConfig } from '../context/config.ts'
import type { Context } from '../context/context.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'

/** Result of a command: `text` for people, `value` for `--json`; `isBad` sets the exit code. */
export interface Result {
  text: string
  value: unknown
  isBad?: boolean
}

/** Adds commands to the program. Commands load their modules when they run, so that help is fast. */
export interface CommandLine {
  program: Command
  /** Adds a group of subcommands. */
  group(name: string, description: string): Command
  /** Adds a command with help and `--json`. */
  command(parent: Command, usage: string, description: string, options?: CommandOptions): Command
  /** Receives the result of a command. */
  respond(result: Result): void
}

/** The directory of backups: `given`, or the default. */
export const directoryOf = (given: string | undefined, { dataDir }: Pick<Config, 'dataDir'>) =>
  given ?? path.join(dataDir, 'backups')

/** Runs `work` with the services of the configured site. */
export async function withContext<T>(
  work: (context: Context) => Promise<T>,
  config = readConfig(),
): Promise<T> {
  const site = await import('./site.ts')
  return site.withContext(config, work)
}

/** Contradictory arguments: the command exits with 2. */
export class UsageError extends Error {}

/** Throws StartupError unless an irreversible step was confirmed with `--yes`. */
export function assertConfirmed(isConfirmed: boolean, sentence: string): void {
  if (!isConfirmed) throw new StartupError(`${sentence}. Add --yes to confirm.`)
}

/** Parses an option that must be a positive integer. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Must be a whole number of 1 or more.')
  return Number(text)
}

/** Reads a password from standard input, or generates one that is shown. */
export async function choosePassword(
  fromStdin: boolean,
): Promise<{ password: string; shown: string | undefined }> {
  if (fromStdin) return { password: (await readAll(process.stdin)).replace(/\r?\n$/, ''), shown: undefined }
  const { newPassword } = await import('./accounts.ts')
  const password = newPassword()
  return { password, shown: password }
}
