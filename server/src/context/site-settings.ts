import {
  AccountSettings,
  LanguageSettings,
  PublicSite,
  QuotaSettings,
  Site,
} from '@kinora/contract/operations/site.ts'
import { defaultFormats } from '@kinora/contract/videos/file-formats.ts'
import { z } from 'zod'
import type { Config } from './config.ts'
import { sqlstate } from '@kinora/platform/db/errors/sqlstate.ts'
import { codeOf } from '@kinora/platform/errors.ts'
import type { Log } from '@kinora/platform/log.ts'

/** Changes arrive as notifications, which can get lost. */
const staleMs = 30_000

const defaults: Site = {
  siteName: 'Kinora',
  siteLogo: null,
  siteAccent: null,
  siteAbout: '',
  siteRules: '',
  siteContact: '',
  registration: 'open',
  acceptedContainers: defaultFormats,
  sensitiveVideos: 'blur',
  siteLanguage: 'en',
  detectLanguage: false,
  confirmEmails: false,
  refuseWeakPasswords: false,
  registrationProofOfWork: false,
  quotaBytes: null,
  quotaVideos: null,
  quotaHours: null,
  quotaDailyBytes: null,
  quotaVideoMinutes: null,
  watchedWords: '',
  watchedWordsAction: 'hold',
  holdFirstComments: false,
  holdFirstLinks: false,
  holdFirstVideos: false,
  newAccountDays: 0,
  addressDays: 30,
  deletionDays: 0,
  dailyBackup: false,
  auditLogDays: null,
}

/** Stored settings by name. */
export type StoredSettings = ReadonlyMap<string, unknown>

/** The settings of the site: those of the environment, then those that administrators have stored, then the defaults. */
export class SiteSettingsCache {
  readonly #read: () => Promise<StoredSettings>
  readonly #given: Partial<Site>
  readonly #log: Log
  #current: Site
  #loadedAt = -Infinity
  /** Reads that began, and the newest of those that ended: an older one must not bring back what was before. */
  #begun = 0
  #newest = 0

  constructor(config: Config, read: () => Promise<StoredSettings>, log: Log) {
    this.#given = givenOf(config)
    this.#current = { ...defaults, ...this.#given }
    this.#read = read
    this.#log = log
  }

  /** The settings as last read. Never waits. */
  get current(): Site {
    if (performance.now() - this.#loadedAt > staleMs) {
      this.#loadedAt = performance.now()
      this.load().catch((error: unknown) => this.#log.debug({ err: error }, 'site settings: not read'))
    }
    return this.#current
  }

  /** Names of settings that the environment sets. */
  get fixed(): string[] {
    return Object.keys(this.#given)
  }

  /** Reads the settings again. Before the migrations have run, they are those of the environment. */
  async load(): Promise<Site> {
    const begun = ++this.#begun
    const stored = await this.#read().catch((error: unknown) => {
      if (codeOf(error) === sqlstate.undefinedTable) return new Map<string, unknown>()
      throw error
    })
    if (begun < this.#newest) return this.#current
    this.#newest = begun
    this.#loadedAt = performance.now()
    this.#current = { ...defaults, ...validOf(stored), ...this.#given }
    return this.#current
  }
}

/** Stored values that this version accepts: another one may have had other limits. */
function validOf(stored: StoredSettings): Partial<Site> {
  const valid = Object.entries(Site.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(stored.get(name))
    return stored.has(name) && parsed.success ? [[name, parsed.data]] : []
  })
  return Object.fromEntries(valid) as Partial<Site>
}

/** Settings that an environment variable can set. */
const Given = z.object({
  ...PublicSite.shape,
  ...LanguageSettings.shape,
  ...AccountSettings.shape,
  ...QuotaSettings.shape,
})

function givenOf(config: Config): Partial<Site> {
  const given = Object.keys(Given.shape).map((name) => [name, config[name as keyof z.infer<typeof Given>]])
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Partial<Site>
}
