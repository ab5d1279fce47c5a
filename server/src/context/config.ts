import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import leven from 'leven'
import { type Constants, constants } from './constants.ts'
import { secretSettings, Settings } from './settings.ts'

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<S>

/** The settings under camelCase names, `UPLOAD_MAX_BYTES` as `config.uploadMaxBytes`, and the constants. */
export type Config = { [Key in keyof Settings as CamelCase<Key>]: Settings[Key] } & Constants & {
    /** Whether the site sends mail. */
    hasMail: boolean
    /** The server itself: DATABASE_DIRECT_URL where it is set, else DATABASE_URL. */
    databaseUrl: string | undefined
    /** The pooler in transaction mode: DATABASE_URL where DATABASE_DIRECT_URL is set. */
    databasePoolerUrl: string | undefined
  }

/** A setting has an invalid value. The message names the setting and the expected values. */
export class ConfigError extends Error {}

/**
 * Reads the settings; no other code reads the environment. An empty value counts as not set.
 * Throws ConfigError with one sentence for the first bad value. The sentence never contains a secret.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.keys(Settings.shape).map((key) => [key, valueOf(key, env)]))
  const parsed = Settings.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const key = String(issue?.path[0])
    const value = isSecret(key) ? '' : ` (${JSON.stringify(given[key])})`
    throw new ConfigError(`The setting ${key} has a bad value${value}: ${issue?.message}.`)
  }
  if (parsed.data.DATABASE_REPLICA_URL && !parsed.data.DATABASE_URL) {
    throw new ConfigError('With DATABASE_REPLICA_URL, DATABASE_URL must be set as well: it is its replica.')
  }
  const { DATABASE_URL, DATABASE_DIRECT_URL } = parsed.data
  if (DATABASE_DIRECT_URL && !DATABASE_URL)
    throw new ConfigError(
      'DATABASE_DIRECT_URL is set without DATABASE_URL. Set DATABASE_URL to the pooler, or remove DATABASE_DIRECT_URL.',
    )
  const { SMTP_URL, MAIL_FROM, PUBLIC_URL } = parsed.data
  if (SMTP_URL && !(MAIL_FROM && PUBLIC_URL)) {
    throw new ConfigError(
      'With SMTP_URL, MAIL_FROM and PUBLIC_URL must be set as well: the sender of mails, and the address in their links.',
    )
  }
  if (parsed.data.CONFIRM_EMAILS && !SMTP_URL)
    throw new ConfigError('With CONFIRM_EMAILS, SMTP_URL must be set as well: the mail server of the site.')
  if (parsed.data.OIDC_PROVIDERS.length > 0 && !PUBLIC_URL) {
    throw new ConfigError(
      'With OIDC_PROVIDERS, PUBLIC_URL must be set as well: providers send browsers back to it.',
    )
  }
  const { STORAGE_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, MEDIA_DELIVERY } = parsed.data
  if (STORAGE_URL && !(AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY)) {
    throw new ConfigError(
      'With STORAGE_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set as well.',
    )
  }
  if (!STORAGE_URL && MEDIA_DELIVERY === 'redirect') {
    throw new ConfigError('MEDIA_DELIVERY=redirect needs STORAGE_URL: browsers are sent to that store.')
  }
  const { RTMPS_PORT, RTMPS_CERTIFICATE, RTMPS_PRIVATE_KEY } = parsed.data
  if (RTMPS_PORT !== undefined && !(RTMPS_CERTIFICATE && RTMPS_PRIVATE_KEY)) {
    throw new ConfigError('With RTMPS_PORT, RTMPS_CERTIFICATE and RTMPS_PRIVATE_KEY must be set as well.')
  }
  const config = Object.entries(parsed.data).map(([key, value]) => [camelCase(key), value])
  return {
    ...constants,
    ...(Object.fromEntries(config) as Config),
    hasMail: SMTP_URL !== undefined,
    databaseUrl: DATABASE_DIRECT_URL ?? DATABASE_URL,
    databasePoolerUrl: DATABASE_DIRECT_URL === undefined ? undefined : DATABASE_URL,
    dataDir: path.resolve(parsed.data.DATA_DIR),
    ffmpegPath: onPath(parsed.data.FFMPEG_PATH, env),
    ffprobePath: onPath(parsed.data.FFPROBE_PATH, env),
  }
}

/** The value of a setting. A secret may be in a file instead: `METRICS_TOKEN_FILE` names the file of `METRICS_TOKEN`. */
function valueOf(key: string, env: NodeJS.ProcessEnv): string | undefined {
  const value = env[key] || undefined
  const file = isSecret(key) ? env[`${key}_FILE`] : undefined
  if (!file) return value
  if (value) throw new ConfigError(`${key} and ${key}_FILE are both set. Set one of them.`)
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    throw new ConfigError(`The file ${file} of ${key}_FILE cannot be read.`, { cause: error })
  }
}

function isSecret(key: string): boolean {
  return (secretSettings as readonly string[]).includes(key)
}

/** Settings of earlier versions, with those that replace them. */
const replacedSettings = new Map([
  ['COMMENTS_PER_MINUTE', 'WRITES_PER_MINUTE'],
  ['LIKES_PER_MINUTE', 'WRITES_PER_MINUTE'],
])

/**
 * Environment variables that look like a misspelled setting, or were one, with the setting that is probably meant. Short names are left
 * out: one or two letters lead from `HOST` to `HOME`.
 */
export function findMisspelledSettings(
  env: NodeJS.ProcessEnv = process.env,
): { given: string; meant: string }[] {
  const known = [...Object.keys(Settings.shape), ...secretSettings.map((key) => `${key}_FILE`)]
  const unknown = Object.keys(env).filter((name) => !known.includes(name))
  return unknown.flatMap((given) => {
    const meant =
      replacedSettings.get(given) ??
      known.find((name) => name.length >= 8 && leven(name, given.toUpperCase()) <= 2)
    return meant ? [{ given, meant }] : []
  })
}

/** Returns the absolute path of a program, because the sandbox has another PATH. */
function onPath(program: string, env: NodeJS.ProcessEnv): string {
  if (program.includes('/')) return path.resolve(program)
  const places = (env['PATH'] ?? '').split(path.delimiter).map((directory) => path.join(directory, program))
  return places.find((place) => existsSync(place)) ?? program
}

function camelCase(key: string): string {
  return key.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** `WatchdogSec` of the systemd unit of this process; undefined without one, and in its child processes. See sd_watchdog_enabled(3). */
export function readSystemdWatchdogMs(env: NodeJS.ProcessEnv = process.env): number | undefined {
  const { WATCHDOG_USEC, WATCHDOG_PID } = env
  if (!WATCHDOG_USEC || (WATCHDOG_PID && Number(WATCHDOG_PID) !== process.pid)) return undefined
  return Number(WATCHDOG_USEC) / 1000
}
