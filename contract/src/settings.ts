import type { RegistrationPolicy, SensitiveChoice } from './constants.ts'
import { defaultFormats, type FileFormat } from './videos/file-formats.ts'

/** Settings that server and browser both validate; `config.ts` of the server uses the same names. */
export interface PublicSettings {
  titleMaxCharacters: number
  descriptionMaxCharacters: number
  commentMaxCharacters: number
  /** Full names and usernames. */
  nameMaxCharacters: number
  passwordMinLength: number
  uploadMaxBytes: number
  acceptedContainers: FileFormat[]
  pictureMaxBytes: number
  /** Whether videos are imported from addresses. */
  importByAddress: boolean
  /** Whether accounts that may can stream live. */
  live: boolean
  /** Whether the account `test` is shared: its password cannot be changed, and it cannot be deleted. */
  demoAccount: boolean
  registration: RegistrationPolicy
  /** Whether a registration needs the link of a mail; only where the site sends mail. */
  confirmEmails: boolean
  /** Whether a registration needs a solved challenge. */
  registrationProofOfWork: boolean
  /** Whether the site sends mail, which features such as a new password need. */
  hasMail: boolean
  /** Identity providers with which people sign in. */
  signInProviders: { id: string; name: string }[]
  siteName: string
  /** An address or a sentence, empty if the site states none. */
  siteContact: string
  /** URL of a square picture; null for that of Kinora. */
  siteLogo: string | null
  /** Whether the page `/rules` has any. */
  hasRules: boolean
  /** Days for which people can keep an account that they deleted; 0 where it is removed at once. */
  deletionDays: number
  /** Choice for videos with sensitive content of visitors, and accounts without one. */
  sensitiveVideos: SensitiveChoice
  /** Quota per account; null for unlimited. */
  quotaBytes: number | null
  quotaVideos: number | null
  quotaHours: number | null
  quotaDailyBytes: number | null
  quotaVideoMinutes: number | null
}

export const defaultSettings: PublicSettings = {
  titleMaxCharacters: 200,
  descriptionMaxCharacters: 20_000,
  commentMaxCharacters: 10_000,
  nameMaxCharacters: 100,
  passwordMinLength: 8,
  uploadMaxBytes: 20 * 1024 ** 3,
  acceptedContainers: defaultFormats,
  pictureMaxBytes: 20 * 1024 ** 2,
  importByAddress: false,
  live: false,
  demoAccount: true,
  registration: 'open',
  confirmEmails: false,
  registrationProofOfWork: false,
  hasMail: false,
  signInProviders: [],
  siteName: 'Kinora',
  siteContact: '',
  siteLogo: null,
  hasRules: false,
  deletionDays: 0,
  sensitiveVideos: 'blur',
  quotaBytes: null,
  quotaVideos: null,
  quotaHours: null,
  quotaDailyBytes: null,
  quotaVideoMinutes: null,
}

/** Name of the meta tag with these settings as JSON, in the head of every page. */
export const settingsMeta = 'kinora-settings'

/** Settings that limit the length of texts. */
export type TextLimit = Extract<keyof PublicSettings, `${string}MaxCharacters`>
export type TextLimits = Pick<PublicSettings, TextLimit>

/** "2 GB" */
export const formatSizeLimit = (maxBytes: number) =>
  maxBytes >= 1024 ** 3 ? `${Math.floor(maxBytes / 1024 ** 3)} GB` : `${Math.floor(maxBytes / 1024 ** 2)} MB`
