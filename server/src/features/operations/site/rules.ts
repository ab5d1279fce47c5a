import type { Config } from '../../../context/config.ts'

/** Host of an address, which may have a password in front of it. */
const hostOf = (address: string | undefined) => address && new URL(address).host

/** Settings that only environment variables set, as administrators read them. None contains a secret. */
export function environmentOf(config: Config): Record<string, string | null> {
  const values = {
    PUBLIC_URL: config.publicUrl,
    PASSWORD_MIN_LENGTH: config.passwordMinLength,
    SESSION_MAX_DAYS: config.sessionMaxDays,
    OIDC_PROVIDERS: config.oidcProviders.map(({ name }) => name).join(', ') || undefined,
    UPLOAD_MAX_BYTES: config.uploadMaxBytes,
    IMPORT_BY_ADDRESS: config.importByAddress,
    LIVE: config.live,
    PREPARE_POLICY: config.preparePolicy,
    AV1: config.av1,
    CACHE_MAX_BYTES: config.cacheMaxBytes,
    CACHE_MAX_DISK_PERCENT: config.cacheMaxDiskPercent,
    DATA_DIR: config.dataDir,
    STORAGE_URL: hostOf(config.storageUrl),
    SMTP_URL: hostOf(config.smtpUrl),
    MAIL_FROM: config.mailFrom,
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === undefined ? null : String(value)]),
  )
}
