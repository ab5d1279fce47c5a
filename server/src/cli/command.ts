import path from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { type Command, type CommandOptions, InvalidArgumentError } from 'commander'
import { type Config, readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { StartupError } from '../platform/startup-error.ts'

/** Result of a command: `text` for people, `value` for `--json`; `isBad` sets the exit code. */
export interface Result {
  text: string
  value: unknown
  isBad?: boolean
}

/** What a command is made with. What it needs itself it loads when it runs, so that help costs nothing. */
export interface CommandLine {
  program: Command
  /** Commands that share their first word. */
  group(name: string, description: string): Command
  /** A command that explains itself and answers JSON to `--json`. */
  command(parent: Command, usage: string, description: string, options?: CommandOptions): Command
  /** Takes what it answers, at the end. */
  answer(result: Result): void
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
  if (!isConfirmed) throw new StartupError(`${sentence}: add --yes to confirm.`)
}

/** For options that count. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Must be a whole number of 1 or more.')
  return Number(text)
}

/** A password of standard input, or a new one to be shown. */
export async function choosePassword(
  fromStdin: boolean,
): Promise<{ password: string; shown: string | undefined }> {
  if (fromStdin) return { password: (await readAll(process.stdin)).replace(/\r?\n$/, ''), shown: undefined }
  const { newPassword } = await import('./accounts.ts')
  const password = newPassword()
  return { password, shown: password }
}
