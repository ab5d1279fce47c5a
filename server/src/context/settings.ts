import { defaultSettings } from '@kinora/contract/settings.ts'
import { maxLength, quotaMax } from '@kinora/contract/constants.ts'
import { SiteSettings } from '@kinora/contract/operations/site.ts'
import { fileFormats } from '@kinora/contract/videos/file-formats.ts'
import { roles } from '@kinora/contract/accounts/roles.ts'
import { z } from 'zod'
import { Providers } from './oidc-providers.ts'

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
/** IP addresses and networks, separated by commas. */
const addresses = z
  .string()
  .transform((value) => value.split(',').map((address) => address.trim()))
  .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'is no IP address or network')))
  .default([])
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ })

/**
 * Every setting by section: its type, default and description. `docs/settings.md` is generated from this object by
 * `npm run settings`. Names carry their units.
 */
export const sections = {
  'Address and proxy': {
    PORT: wholeNumber(0, 65_535)
      .default(3000)
      .describe('Port of the site. `0` chooses a free one and prints it.'),
    HOST: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .describe('Address to listen on. `0.0.0.0` accepts connections from other machines.'),
    PUBLIC_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'Public address of the site, for example `https://video.example.org`. Used in links, feeds and embeds. Set it behind a proxy; without it, links use the host of the request.',
      ),
    TRUST_PROXY: z
      .string()
      .regex(/^(true|false|[0-9])$/)
      .transform((value) => (value === 'true' ? 1 : Number(value) || 0))
      .default(0)
      .describe(
        'Number of proxies in front of Kinora whose `X-Forwarded-*` headers are trusted. `true` means one.',
      ),
  },
  Site: {
    SITE_NAME: SiteSettings.shape.siteName
      .optional()
      .describe(
        'Name of the site, in its bar, titles, feeds and link previews. Variables of this section, `REGISTRATION`, `REGISTRATION_PROOF_OF_WORK`, `CONFIRM_EMAILS`, `REFUSE_WEAK_PASSWORDS` and `QUOTA_…` win over `/administration/settings`.',
      ),
    SITE_ACCENT: SiteSettings.shape.siteAccent
      .unwrap()
      .optional()
      .describe('Accent colour, for example `#00697a`: dark enough to read text in it.'),
    SITE_ABOUT: SiteSettings.shape.siteAbout.optional().describe('Text of the page `/about`.'),
    SITE_RULES: SiteSettings.shape.siteRules.optional().describe('Text of the page `/rules`.'),
    SITE_CONTACT: SiteSettings.shape.siteContact
      .optional()
      .describe('How to reach the people who run the site.'),
    SENSITIVE_VIDEOS: SiteSettings.shape.sensitiveVideos
      .optional()
      .describe(
        'What visitors, and accounts without a choice of their own, see of videos that are marked as sensitive: `show`, `blur` (default) until a click, or `hide` in lists.',
      ),
    SITE_LANGUAGE: SiteSettings.shape.siteLanguage
      .optional()
      .describe(
        'Language of the interface for browsers that have chosen none, of mails to accounts that have chosen none, and of link previews. English by default.',
      ),
    DETECT_LANGUAGE: flag
      .optional()
      .describe(
        'Whether the languages of a browser come before `SITE_LANGUAGE`, if the interface has one. Off by default.',
      ),
  },
  'Data and storage': {
    DATA_DIR: z
      .string()
      .min(1)
      .default('./data')
      .describe('Directory of everything worth keeping: database, videos, pictures.'),
    DATABASE_URL: postgresUrl
      .optional()
      .describe(
        'PostgreSQL 15 or later to use instead of the embedded one: `postgres://user:password@host/name`.',
      ),
    DATABASE_DIRECT_URL: postgresUrl
      .optional()
      .describe(
        'The server behind `DATABASE_URL`, where that is a pooler in transaction mode. Used by the job queue, notifications, locks, migrations and commands. See [scaling](operations/scaling.md#pooler).',
      ),
    DATABASE_REPLICA_URL: postgresUrl
      .optional()
      .describe(
        'Streaming replica of `DATABASE_URL`. Serves lists, search, video pages and comments. See [scaling](operations/scaling.md).',
      ),
    DATABASE_POOL_MAX: wholeNumber(2, 1000)
      .default(10)
      .describe(
        'Database connections per process, in addition to four for the job queue, two for notifications and one for locks.',
      ),
    STORAGE_URL: z
      .url({ protocol: /^s3$/ })
      .optional()
      .describe(
        'S3-compatible bucket for videos and pictures instead of `DATA_DIR`: `s3://bucket?endpoint=https://host&region=name`.',
      ),
    AWS_ACCESS_KEY_ID: z.string().min(1).optional().describe('Access key of the bucket.'),
    AWS_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Secret key of the bucket.'),
    MEDIA_DELIVERY: z
      .enum(['stream', 'redirect'])
      .default('stream')
      .describe(
        'How media in a bucket reaches browsers: streamed through Kinora, or by a redirect to the bucket.',
      ),
    BACKUP_BEFORE_UPGRADE: flag
      .default(true)
      .describe('Back up the database before a new version migrates it.'),
  },
  Uploads: {
    UPLOAD_MAX_BYTES: wholeNumber(1, Number.MAX_SAFE_INTEGER)
      .default(defaultSettings.uploadMaxBytes)
      .describe('Largest video file.'),
    ACCEPTED_CONTAINERS: z
      .string()
      .transform((value) => value.split(',').map((format) => format.trim().toLowerCase()))
      .pipe(z.array(z.enum(fileFormats)).min(1))
      .transform((formats) => [...new Set(formats)])
      .optional()
      .describe(
        'Formats of video files, separated by commas: `mp4`, `webm`, `ogg`, `mov`, `mkv`, `avi`, `ts`, `m4a`, `mp3`. Without it, those that administrators choose; the first three by default. Phones and cameras often write `mov`. Files of the last four are converted to MP4 after their upload; those with audio only get a picture of their waveform.',
      ),
    IMPORT_FOLDERS: z
      .string()
      .transform((value) =>
        value
          .split(',')
          .map((folder) => folder.trim())
          .filter((folder) => folder !== ''),
      )
      .pipe(z.array(z.string().regex(/^\//, 'is no absolute path')))
      .default([])
      .describe(
        'Folders whose videos administrators may import in the browser, as absolute paths separated by commas. Workers read them. None by default.',
      ),
    QUOTA_BYTES: wholeNumber(1, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Size of all videos of one account, unfinished uploads included. Unlimited by default.'),
    QUOTA_VIDEOS: wholeNumber(1, quotaMax)
      .optional()
      .describe('Videos of one account. Unlimited by default.'),
    QUOTA_HOURS: wholeNumber(1, quotaMax)
      .optional()
      .describe('Duration of all videos of one account, in hours. Unlimited by default.'),
    QUOTA_DAILY_BYTES: wholeNumber(1, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe(
        'Bytes that one account may upload within 24 hours, deleted videos and replaced files included. Unlimited by default.',
      ),
    QUOTA_VIDEO_MINUTES: wholeNumber(1, quotaMax)
      .optional()
      .describe('Longest video, in minutes. Unlimited by default.'),
    IMPORT_BY_ADDRESS: flag
      .default(false)
      .describe(
        'Whether people may enter the address of a media file, which a worker then fetches and publishes like an upload, or of a feed whose new videos it imports. Workers then send requests to public addresses that people choose.',
      ),
    IMPORT_ALLOWED_ADDRESSES: addresses.describe(
      'IP addresses and networks that such imports may reach although they are private, separated by commas. Without it, they reach public addresses only.',
    ),
    UPLOADS_PER_USER: wholeNumber(1, 1000)
      .default(6)
      .describe('Uploads that one account may send at a time.'),
  },
  'Accounts and limits': {
    PASSWORD_MIN_LENGTH: wholeNumber(1, maxLength.password)
      .default(defaultSettings.passwordMinLength)
      .describe('Shortest new password.'),
    REGISTRATION: SiteSettings.shape.registration
      .optional()
      .describe(
        'Who may register: `open` (default) everybody, `approval` everybody, who can sign in once a moderator approves, `invitation` people with a link from `/administration/invitations`, `closed` nobody. `kinora user create` always works.',
      ),
    REGISTRATION_PROOF_OF_WORK: flag
      .optional()
      .describe(
        'Whether registrations contain the solution of a small task, which browsers compute in about a second while the form is filled in. It makes many automated registrations slow. Browsers need an https address for it. Off by default; accounts of identity providers and of `kinora user create` need none.',
      ),
    CONFIRM_EMAILS: flag
      .optional()
      .describe(
        'Whether people who register confirm their address by the link of a mail before they have an account. The link works for a day, registrations without it are deleted after a week. Needs `SMTP_URL`. Off by default; accounts of identity providers and of `kinora user create` need no link.',
      ),
    REFUSE_WEAK_PASSWORDS: flag
      .optional()
      .describe(
        'Whether new passwords are refused that are among the most common ones, repeat a few characters, or are hardly more than the username or the name of the site. By default people only see a warning. The list is part of Kinora: nothing is sent to a service.',
      ),
    SESSION_MAX_DAYS: wholeNumber(1, 3650)
      .optional()
      .describe(
        'Days after which people sign in again even if they use the site every day. By default a session ends after 30 days without a visit only.',
      ),
    OIDC_PROVIDERS: Providers.default([]).describe(
      'Identity providers with which people sign in, as a JSON array: `[{"id":"club","name":"Club","issuer":"https://id.example.org","clientId":"kinora","clientSecret":"…"}]`. Needs `PUBLIC_URL`; register `PUBLIC_URL/oidc/<id>` as the redirect URI. None by default.',
    ),
    REGISTRATIONS_PER_HOUR: wholeNumber(1, 1_000_000)
      .default(2000)
      .describe('New accounts from one address.'),
    REQUESTS_PER_MINUTE: wholeNumber(1, 10_000_000)
      .default(6000)
      .describe(
        'API requests from one address. Cached public responses are not counted. Pages may be requested twice as often, media and assets ten times.',
      ),
    REQUESTS_AT_ONCE: wholeNumber(1, 1_000_000)
      .default(2000)
      .describe(
        'Requests that one web process handles at a time, a quarter of them for one address. More are answered 503 with `Retry-After`.',
      ),
    SEARCHES_PER_MINUTE: wholeNumber(1, 10_000_000)
      .default(300)
      .describe(
        'Searches from one address. Cached results are not counted. Suggestions while typing: four times as many.',
      ),
    VIEWS_PER_MINUTE: wholeNumber(1, 1_000_000).default(6000).describe('Views counted from one address.'),
    WRITES_PER_MINUTE: wholeNumber(1, 1_000_000)
      .default(1500)
      .describe(
        'Comments, likes, subscriptions, changes of playlists, reports and tests of webhooks of one account. Undoing one counts as well.',
      ),
    DEMO_ACCOUNT: flag
      .default(true)
      .describe(
        'Whether the account `test` is a shared one for demonstrations: its password cannot be changed, and it cannot be deleted by its users.',
      ),
  },
  Mail: {
    SMTP_URL: z
      .url({ protocol: /^smtps?$/ })
      .optional()
      .describe(
        'Mail server: `smtp://user:password@host:587` (TLS where the server offers it; `?requireTLS=true` insists) or `smtps://user:password@host`. Needs `MAIL_FROM` and `PUBLIC_URL`. Without it, nothing that needs mail is shown.',
      ),
    MAIL_FROM: z
      .string()
      .regex(
        /^[^\r\n<>]*<?[^\s@<>]+@[^\s@<>]+>?$/,
        'write an address, or a name and an address in angle brackets',
      )
      .optional()
      .describe('Sender of mails: `kinora@example.org` or `Our videos <kinora@example.org>`.'),
  },
  Playback: {
    FFMPEG_PATH: z
      .string()
      .min(1)
      .default('ffmpeg')
      .describe('ffmpeg 5.1 or later with libx264 and aac. Searched on `PATH` by default.'),
    FFPROBE_PATH: z.string().min(1).default('ffprobe').describe('ffprobe of the same version.'),
    PREPARE_POLICY: z
      .enum(['all', 'popular', 'none'])
      .default('all')
      .describe(
        'Segments encoded before anybody requests them: `all` of every video, `popular` (the beginning, and what follows the position of a viewer), or `none` (the beginning only).',
      ),
    AV1: flag
      .default(false)
      .describe(
        'Whether videos of up to 1080 lines with at least 100 views within 7 days also get AV1 renditions, for devices that decode them in hardware. They need about half the bits, and more CPU than the others together, at the lowest priority. Needs an ffmpeg with libsvtav1.',
      ),
    CAPTIONS_POLICY: z
      .enum(['all', 'popular', 'request'])
      .default('all')
      .describe(
        'Videos that get captions automatically once models are [installed](operations/captions.md): `all` without captions, the most watched first, `popular` (at least 100 views within 7 days), or `request` (when the owner asks).',
      ),
    CAPTIONS_THREADS: wholeNumber(1, 64)
      .optional()
      .describe(
        'Threads that recognize speech for captions. By default half as many as there are cores, at most four.',
      ),
    SEGMENT_WAIT_SECONDS: wholeNumber(1, 600)
      .default(15)
      .describe('How long a request waits for a segment that is being encoded.'),
    CACHE_MAX_DISK_PERCENT: wholeNumber(1, 100)
      .default(85)
      .describe(
        'On a disk fuller than this, the least recently requested segments are deleted. They can be encoded again.',
      ),
    CACHE_MAX_BYTES: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Space for encoded segments, on disk or in a bucket. Unlimited by default.'),
  },
  'Live streams': {
    LIVE: flag
      .default(false)
      .describe(
        'Whether people may stream live from encoders such as OBS. A process of its own receives the streams. See [live streams](operations/live.md).',
      ),
    RTMP_HOST: z
      .string()
      .min(1)
      .default('0.0.0.0')
      .describe('Address on which encoders are received. `127.0.0.1` where a server in front receives them.'),
    RTMP_PUBLIC_HOST: z
      .hostname()
      .optional()
      .describe('Host that the studio shows for encoders. By default that of `PUBLIC_URL`.'),
    RTMP_PORT: wholeNumber(0, 65_535).default(1935).describe('Port for encoders.'),
    RTMPS_PORT: wholeNumber(0, 65_535)
      .optional()
      .describe('Port for encoders that encrypt. Needs `RTMPS_CERTIFICATE` and `RTMPS_PRIVATE_KEY`.'),
    RTMPS_CERTIFICATE: z.string().min(1).optional().describe('PEM file of the certificate chain for RTMPS.'),
    RTMPS_PRIVATE_KEY: z.string().min(1).optional().describe('PEM file of its private key.'),
    LIVE_ROLE: z
      .enum(roles)
      .default('administrator')
      .describe(
        'Least role of accounts that may stream: `member`, `moderator` or `administrator`. Administrators can allow others one by one.',
      ),
    LIVE_STREAMS: wholeNumber(1, 1000).default(10).describe('Streams at a time. An account has one.'),
    LIVE_MAX_HOURS: wholeNumber(1, 24).default(12).describe('Length after which a stream is ended.'),
    LIVE_MAX_KILOBITS: wholeNumber(100, 200_000)
      .default(20_000)
      .describe('Bitrate of a stream above which it is ended, in kbit/s.'),
  },
  'Logs, metrics and processes': {
    LOG_LEVEL: z
      .enum(['debug', 'info', 'warn', 'error', 'silent'])
      .default('info')
      .describe('Least severe log lines to write. Logs are JSON lines.'),
    WEBHOOK_ALLOWED_ADDRESSES: addresses.describe(
      'IP addresses and networks that webhooks may reach although they are private, separated by commas, for example `10.0.0.7,192.168.1.0/24`. Without it, webhooks reach public addresses only.',
    ),
    METRICS_TOKEN: z
      .string()
      .min(16)
      .optional()
      .describe(
        'Token that `/metrics` requires as `Authorization: Bearer`. Without it, a web process serves no metrics.',
      ),
    METRICS_PORT: wholeNumber(1, 65_535)
      .optional()
      .describe(
        'Port of `/metrics` and `/readyz` of a worker. Without `METRICS_TOKEN`, only this machine may read metrics there. A web process serves them on `PORT`. When `npm start` runs several processes, the following ports are those of the other workers, then of the web processes.',
      ),
    WEB_PROCESSES: wholeNumber(1, 64)
      .optional()
      .describe(
        'Web processes that `npm start` runs on one port, each on a core. By default one for every two cores, at most four. Always one where the system cannot share a port (macOS).',
      ),
    WORKERS: wholeNumber(1, 64)
      .optional()
      .describe(
        'Worker processes that `npm start` runs. One already encodes on all cores. By default one for every sixteen cores, at least one.',
      ),
    OTEL_EXPORTER_OTLP_ENDPOINT: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('OTLP/HTTP endpoint for traces, for example `http://127.0.0.1:4318`. No traces by default.'),
    OTEL_TRACES_SAMPLER_ARG: z.coerce
      .number()
      .min(0)
      .max(1)
      .default(1)
      .describe('Share of traces that is sent.'),
    STOP_GRACE_SECONDS: wholeNumber(0, 300)
      .default(0)
      .describe(
        'How long a stopping web process keeps serving while `/readyz` answers 503, so that load balancers notice.',
      ),
  },
}

export const Settings = z.object({
  ...sections['Address and proxy'],
  ...sections.Site,
  ...sections['Data and storage'],
  ...sections.Uploads,
  ...sections['Accounts and limits'],
  ...sections.Mail,
  ...sections.Playback,
  ...sections['Live streams'],
  ...sections['Logs, metrics and processes'],
})
export type Settings = z.output<typeof Settings>

/** Settings whose value must never appear in a message or a log line. */
export const secretSettings = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'METRICS_TOKEN',
  'SMTP_URL',
  'OIDC_PROVIDERS',
] as const satisfies (keyof Settings)[]
