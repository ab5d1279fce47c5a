import { Secret, TOTP } from 'otpauth'

const periodSeconds = 30
/** Codes before and after the current one that are accepted, for clocks that differ. */
const tolerance = 1
const secretBytes = 20
const recoveryCodeBytes = 10
const recoveryCodes = 10

export const newSecret = () => new Secret({ size: secretBytes }).base32

/** The address that a QR code shows to an authenticator app. */
export function uriOf(secret: string, { issuer, label }: { issuer: string; label: string }): string {
  return new TOTP({ issuer, label, secret, period: periodSeconds }).toString()
}

const withoutSpaces = (code: string) => code.replaceAll(/\s/g, '')

/** Whether a code looks like those of authenticator apps. Recovery codes are longer. */
export const isAppCode = (code: string) => /^\d{6}$/.test(withoutSpaces(code))

/** The time step of a code that is valid now; undefined for another one. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  if (!isAppCode(code)) return undefined
  const token = withoutSpaces(code)
  const totp = new TOTP({ secret, period: periodSeconds })
  const delta = totp.validate({ token, timestamp: now.getTime(), window: tolerance })
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / periodSeconds) + delta
}

/** New recovery codes, in groups that are easy to copy by hand. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodes }, () =>
    new Secret({ size: recoveryCodeBytes }).base32.toLowerCase().replaceAll(/(.{4})(?=.)/g, '$1-'),
  )
}

/** A recovery code as it is hashed, however it was typed. */
export const normalRecoveryCode = (code: string) => code.toLowerCase().replaceAll(/[^a-z2-7]/g, '')
