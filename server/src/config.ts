import { existsSync } from 'node:fs'
import path from 'node:path'
import { usualSettings } from '@kinora/contract/settings.ts'
import { maxLength } from '@kinora/contract/text.ts'
import { z } from 'zod'

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** Every setting, with its default. Keys carry their units. */
const Settings = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  /** Where a worker answers /metrics and /readyz; a web process does on PORT. */
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  /** Who reads /metrics must send it; without one, only this machine may. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /** How long a web process that is told to stop goes on, so that balancers see that it is not ready any more. */
  STOP_GRACE_SECONDS: wholeNumber(0, 300).default(0),
  /** Connections to the database that one process holds at most, beside four of the queue, two for messages and one for locks. */
  DATABASE_POOL_MAX: wholeNumber(2, 1000).default(10),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** A streaming replica of it, for reads that are the same for everybody. */
  DATABASE_REPLICA_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  STORAGE_URL: z.url({ protocol: /^s3$/ }).optional(),
  AWS_ACCESS_KEY_ID: z.string().min(1).optional(),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** Whether browsers get media from us, or are sent to the object store for them. */
  MEDIA_DELIVERY: z.enum(['stream', 'redirect']).default('stream'),
  /** Sources of the object store that are kept on this machine's disk for ffmpeg. */
  COPIES_MAX_BYTES: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(20 * 1024 ** 3),
  /** The address people type, for links in pages; without it the request's own host is used. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** How many proxies stand in front, whose X-Forwarded-* headers are believed. */
  TRUST_PROXY: z
    .string()
    .regex(/^(true|false|[0-9])$/)
    .transform((value) => (value === 'true' ? 1 : Number(value) || 0))
    .default(0),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  FFMPEG_PATH: z.string().min(1).default('ffmpeg'),
  FFPROBE_PATH: z.string().min(1).default('ffprobe'),
  WEB_DIST_DIR: z
    .string()
    .min(1)
    .default(path.join(import.meta.dirname, '../../web/dist')),
  UPLOAD_MAX_BYTES: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(usualSettings.uploadMaxBytes),
  UPLOAD_IDLE_SECONDS: wholeNumber(1, 86_400).default(60),
  DOWNLOAD_IDLE_SECONDS: wholeNumber(1, 86_400).default(60),
  UPLOADS_PER_USER: wholeNumber(1, 1000).default(6),
  UPLOAD_EXPIRY_HOURS: wholeNumber(1, 8760).default(24),
  PICTURE_MAX_BYTES: wholeNumber(1, 1024 ** 3).default(usualSettings.pictureMaxBytes),
  PICTURE_MAX_MEGAPIXELS: wholeNumber(1, 1000).default(40),
  // what is longer would not fit into a form, or into the address of a search for it
  TITLE_MAX_CHARACTERS: wholeNumber(1, 1000).default(usualSettings.titleMaxCharacters),
  DESCRIPTION_MAX_CHARACTERS: wholeNumber(1, 80_000).default(usualSettings.descriptionMaxCharacters),
  COMMENT_MAX_CHARACTERS: wholeNumber(1, 80_000).default(usualSettings.commentMaxCharacters),
  NAME_MAX_CHARACTERS: wholeNumber(1, 200).default(usualSettings.nameMaxCharacters),
  PASSWORD_MIN_LENGTH: wholeNumber(1, maxLength.password).default(usualSettings.passwordMinLength),
  SESSION_DAYS: wholeNumber(1, 3650).default(30),
  LOGINS_PER_MINUTE: wholeNumber(1, 1_000_000).default(10),
  LOGINS_PER_ADDRESS_PER_MINUTE: wholeNumber(1, 1_000_000).default(100),
  REGISTRATIONS_PER_HOUR: wholeNumber(1, 1_000_000).default(2000),
  REQUESTS_PER_MINUTE: wholeNumber(1, 10_000_000).default(6000),
  EVENT_STREAMS_PER_USER: wholeNumber(1, 10_000).default(12),
  VIEWS_PER_MINUTE: wholeNumber(1, 1_000_000).default(6000),
  REQUESTS_AT_ONCE: wholeNumber(1, 1_000_000).default(2000),
  /** Where traces are sent by OTLP over HTTP, as OpenTelemetry names it; none are made without. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** The share of traces that is sent. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** Whether the database is written down before it is migrated. */
  BACKUP_BEFORE_UPGRADE: flag.default(true),
  SEGMENT_WAIT_SECONDS: wholeNumber(1, 600).default(15),
  PREPARE_POLICY: z.enum(['all', 'popular', 'none']).default('all'),
  CACHE_MAX_DISK_PERCENT: wholeNumber(1, 100).default(85),
  CACHE_MAX_BYTES: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
})

type Settings = z.output<typeof Settings>
type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<S>

/** The settings under camelCase names: `UPLOAD_MAX_BYTES` is `config.uploadMaxBytes`. */
export type Config = { [Key in keyof Settings as CamelCase<Key>]: Settings[Key] }

/** A setting has a bad value: the message names it and says what is expected. */
export class ConfigError extends Error {}

/**
 * Reads the settings, the only place that does. An empty value counts as not set.
 * Throws ConfigError with one sentence for the first bad value.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(
    Object.keys(Settings.shape).map((key) => [key, env[key] === '' ? undefined : env[key]]),
  )
  const parsed = Settings.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const key = String(issue?.path[0])
    throw new ConfigError(
      `The setting ${key} has a bad value (${JSON.stringify(given[key])}): ${issue?.message}.`,
    )
  }
  if (parsed.data.DATABASE_REPLICA_URL && !parsed.data.DATABASE_URL) {
    throw new ConfigError('With DATABASE_REPLICA_URL, DATABASE_URL must be set as well: it is its replica.')
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
  const config = Object.entries(parsed.data).map(([key, value]) => [camelCase(key), value])
  return {
    ...(Object.fromEntries(config) as Config),
    dataDir: path.resolve(parsed.data.DATA_DIR),
    ffmpegPath: onPath(parsed.data.FFMPEG_PATH, env),
    ffprobePath: onPath(parsed.data.FFPROBE_PATH, env),
  }
}

/** Where a program is: what runs it later knows nothing of our PATH. */
function onPath(program: string, env: NodeJS.ProcessEnv): string {
  if (program.includes('/')) return path.resolve(program)
  const places = (env['PATH'] ?? '').split(path.delimiter).map((directory) => path.join(directory, program))
  return places.find((place) => existsSync(place)) ?? program
}

function camelCase(key: string): string {
  return key.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
