import { wrong } from '../field-errors.ts'
import { operationErrors } from './errors.ts'
import { errors } from '../errors.ts'
import { z } from 'zod'
import { isReadableAccent } from '../accent.ts'
import {
  deletionMaxDays,
  quotaMax,
  registrationPolicies,
  retentionMaxDays,
  sensitiveChoices,
  siteContactMaxCharacters,
  siteNameMaxCharacters,
  siteTextMaxCharacters,
} from '../constants.ts'
import { WatchedWords } from '../conversation/comments.ts'
import { endpoint } from '../endpoint.ts'
import { languageTags } from '../languages.ts'
import { fileFormats } from '../videos/file-formats.ts'
import { newAccountMaxDays } from '../accounts/new-accounts.ts'
import { limitedLine, limitedText } from '../text.ts'

/** Texts may have line breaks. An empty one is not shown. */
export const PublicSite = z.object({
  siteName: limitedLine('Name', siteNameMaxCharacters)
    .min(1, wrong(errors.required, { label: 'Name' }))
    .describe('Shown in the header, page titles, feeds and link previews.'),
  siteAccent: z
    .string()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, wrong(operationErrors.colourFormat))
    .refine(isReadableAccent, wrong(operationErrors.colourTooLight))
    .nullable()
    .describe('Accent colour; null for that of Kinora. The dark theme has a lighter tint of it.'),
  siteAbout: limitedText('About', siteTextMaxCharacters).describe('On the page `/about`.'),
  siteRules: limitedText('Rules', siteTextMaxCharacters).describe(
    'The page `/rules`; without them there is none.',
  ),
  siteContact: limitedLine('Contact', siteContactMaxCharacters).describe('An address or a sentence.'),
  registration: z.enum(registrationPolicies).describe('Who may register.'),
  acceptedContainers: z
    .array(z.enum(fileFormats))
    .min(1, wrong(operationErrors.formatRequired))
    .describe('Formats of video files that people may upload.'),
  sensitiveVideos: z
    .enum(sensitiveChoices)
    .describe(
      'What visitors see of videos with sensitive content, and accounts without a choice: `show`, `blur` until a click, or `hide` in lists.',
    ),
})

export type PublicSite = z.infer<typeof PublicSite>

/** How accounts are protected; everything is off unless an owner switches it on. */
export const AccountSettings = z.object({
  confirmEmails: z
    .boolean()
    .describe(
      'Whether a registration becomes an account once the link of a mail is opened. No effect where the site sends no mail.',
    ),
  refuseWeakPasswords: z
    .boolean()
    .describe('Whether new passwords that are easy to guess are refused. They always bring a warning.'),
  registrationProofOfWork: z
    .boolean()
    .describe(
      'Whether browsers compute for about a second before they register, against automated registrations.',
    ),
})
export type AccountSettings = z.infer<typeof AccountSettings>

/** The language in which pages appear to browsers that have chosen none. */
export const LanguageSettings = z.object({
  siteLanguage: z
    .enum(languageTags)
    .describe('Language of the interface and of mails where none is chosen, and of link previews.'),
  detectLanguage: z
    .boolean()
    .describe('Whether the languages of a browser come before that of the site, if the interface has one.'),
})
export type LanguageSettings = z.infer<typeof LanguageSettings>

const Quota = (max: number) => z.number().int().min(1).max(max).nullable()

/** Quota of accounts without one of their own. */
export const QuotaSettings = z.object({
  quotaBytes: Quota(Number.MAX_SAFE_INTEGER).describe(
    'Size of all videos of one account, unfinished uploads included; null for unlimited, as the others.',
  ),
  quotaVideos: Quota(quotaMax).describe('Videos of one account.'),
  quotaHours: Quota(quotaMax).describe('Duration of all videos of one account, in hours.'),
  quotaDailyBytes: Quota(Number.MAX_SAFE_INTEGER).describe(
    'Bytes that one account may upload within 24 hours.',
  ),
  quotaVideoMinutes: Quota(quotaMax).describe('Longest video, in minutes.'),
})
export type QuotaSettings = z.infer<typeof QuotaSettings>

const Days = z.number().int().min(1).max(retentionMaxDays)

/** Settings of the site, those for administrators included. */
export const SiteSettings = PublicSite.extend({
  ...LanguageSettings.shape,
  ...AccountSettings.shape,
  ...QuotaSettings.shape,
  ...WatchedWords.shape,
  holdFirstComments: z
    .boolean()
    .describe('Whether comments wait for approval until one of the author has been published.'),
  holdFirstLinks: z
    .boolean()
    .describe('Whether comments with a link wait until one with a link of the author has been published.'),
  holdFirstVideos: z
    .boolean()
    .describe(
      'Whether videos of a member wait for the approval of a moderator until one has been published.',
    ),
  newAccountDays: z
    .number()
    .int()
    .min(0)
    .max(newAccountMaxDays)
    .describe(
      'Days for which comments, uploads and reports of a new account are limited, unless it has published much that stayed. 0: no limits.',
    ),
  addressDays: Days.describe(
    'Days after the last sign-in from an address or device that both are forgotten.',
  ),
  deletionDays: z
    .number()
    .int()
    .min(0)
    .max(deletionMaxDays)
    .describe(
      'Days for which people can keep an account that they deleted. It is hidden meanwhile. 0: removed at once.',
    ),
  dailyBackup: z
    .boolean()
    .describe('Whether the site backs itself up every night; the newest 14 backups are kept then.'),
  auditLogDays: Days.nullable().describe('Days that entries of the audit log are kept; null for good.'),
})
export type SiteSettings = z.infer<typeof SiteSettings>

export const SiteSettingsChanges = SiteSettings.partial().refine(
  (changes) => Object.keys(changes).length > 0,
  wrong(operationErrors.settingRequired),
)
export type SiteSettingsChanges = z.infer<typeof SiteSettingsChanges>

const SiteLogo = z
  .string()
  .nullable()
  .describe(
    'URL, 160 pixels square; also available as 80.webp and 320.webp, each also as .jpg. Null for that of Kinora.',
  )

/** All that is known of the site: what administrators edit, and its logo. */
export const Site = SiteSettings.extend({ siteLogo: SiteLogo })
export type Site = z.infer<typeof Site>

export const getSite = endpoint({
  name: 'getSite',
  tag: 'site',
  summary: 'Name, logo, colour and texts of the site, and who may register',
  method: 'GET',
  path: '/site',
  auth: 'none',
  result: PublicSite.extend({
    siteLogo: SiteLogo,
    isSetUp: z.boolean().describe('Whether somebody administers the site.'),
  }),
  message: 'Site',
})

export const Privacy = SiteSettings.pick({ addressDays: true, auditLogDays: true, siteContact: true }).extend(
  {
    sessionDays: z.number().int().describe('Days after which a session ends that is not used.'),
    sendsMail: z.boolean().describe('Whether the site sends mail, so that a mail server sees addresses.'),
    isBehindProxy: z.boolean().describe('Whether a proxy of the owner passes requests on.'),
    usesBucket: z
      .boolean()
      .describe('Whether files are in an object store in place of the disk of the server.'),
  },
)
export type Privacy = z.infer<typeof Privacy>

export const getPrivacy = endpoint({
  name: 'getPrivacy',
  tag: 'site',
  summary: 'What the configuration of the site means for the data of its visitors',
  method: 'GET',
  path: '/site/privacy',
  auth: 'none',
  result: Privacy,
  message: 'Privacy',
})

const EditableSettings = z.object({
  settings: Site,
  fixed: z
    .array(z.string())
    .describe('Those that an environment variable sets, which cannot be changed here.'),
  environment: z
    .record(z.string(), z.string().nullable())
    .describe(
      'Other settings of the server, by the names of their environment variables; null for those without a value. Of addresses with a password only the host.',
    ),
})

export const getSiteSettings = endpoint({
  name: 'getSiteSettings',
  tag: 'site',
  summary: 'The settings of the site',
  method: 'GET',
  path: '/administration/settings',
  auth: 'required',
  role: 'administrator',
  result: EditableSettings,
  message: 'Settings',
})

export const putSiteSettings = endpoint({
  name: 'putSiteSettings',
  tag: 'site',
  summary: 'Changes settings of the site, except those of the environment; one left out stays as it is',
  method: 'PUT',
  path: '/administration/settings',
  auth: 'required',
  role: 'administrator',
  body: SiteSettingsChanges,
  result: EditableSettings,
  message: 'Settings saved',
})

const logoEndpoint = {
  path: '/administration/logo',
  auth: 'required',
  role: 'administrator',
  result: EditableSettings,
} as const

export const putLogo = endpoint({
  ...logoEndpoint,
  name: 'putLogo',
  tag: 'site',
  summary: 'Changes the logo of the site; the middle of the picture is cut out as a square',
  method: 'PUT',
  files: { logo: { required: true, description: 'Logo' } },
  message: 'Logo saved',
})

export const deleteLogo = endpoint({
  ...logoEndpoint,
  name: 'deleteLogo',
  tag: 'site',
  summary: 'Removes the logo of the site, which then has that of Kinora',
  method: 'DELETE',
  message: 'Logo removed',
})
