import { unknownDevice } from '@kinora/contract/constants.ts'
import Bowser from 'bowser'
import type { Config } from '../../../context/config.ts'
import { dayMs } from '@kinora/platform/durations.ts'

/** Addresses and devices last seen before this time are not known any more. */
export function knownSince(now: Date, addressDays: number): Date {
  return new Date(now.getTime() - addressDays * dayMs)
}

/** Names of browsers and systems. Other texts, such as addresses, must not get into a mail that anybody can cause. */
const namePattern = /^[\p{L}\d -]{1,40}$/u

/** Browser and system of a User-Agent header, without versions: an update does not make a new device. */
export function deviceOf(userAgent: string | undefined): string {
  if (!userAgent) return unknownDevice
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500))
  const names = [browser.name, os.name].filter((name) => name !== undefined && namePattern.test(name))
  return names.join(' on ') || unknownDevice
}

/** When a session that began at `startedAt` and is used now ends unless it is used again. */
export function expiryFrom(
  now: Date,
  startedAt: Date,
  { sessionDays, sessionMaxDays = Infinity }: Pick<Config, 'sessionDays' | 'sessionMaxDays'>,
): Date {
  return new Date(Math.min(now.getTime() + sessionDays * dayMs, startedAt.getTime() + sessionMaxDays * dayMs))
}

/** Renewing once a day keeps the end rolling without a write on every request. */
export function isDueForRenewal(expiresAt: Date, now: Date, sessionDays: number): boolean {
  const usedMs = sessionDays * dayMs - (expiresAt.getTime() - now.getTime())
  // a lifetime of one day would otherwise never be renewed
  return usedMs > Math.min(dayMs, (sessionDays * dayMs) / 2)
}

/** `secure` if the browser uses TLS: with us, or with the proxy at PUBLIC_URL. */
export function cookieOptions(protocol: string, config: Pick<Config, 'publicUrl' | 'sessionDays'>) {
  return {
    maxAgeSeconds: (config.sessionDays * dayMs) / 1000,
    isSecure: protocol === 'https' || config.publicUrl?.startsWith('https:') === true,
  }
}
