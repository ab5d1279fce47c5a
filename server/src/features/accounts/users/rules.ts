import { domainToASCII, domainToUnicode } from 'node:url'
import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { countCharacters } from '@kinora/contract/characters.ts'
import { findPasswordWeakness, type PasswordWeakness } from '@kinora/contract/accounts/password-weakness.ts'
import type { Failure } from '@kinora/contract/failure.ts'
import { isTestAccount } from '@kinora/contract/constants.ts'
import { AppError } from '@kinora/platform/errors.ts'

/** The spellings of an email address: a domain such as `münchen.example` has another one in ASCII, for the same mailbox. */
export function spellingsOf(email: string): string[] {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at)
  // both are empty for what is no domain
  const others = [domainToASCII(domain), domainToUnicode(domain)].filter((other) => other !== '')
  const spellings = [domain, ...others].map((spelling) => email.slice(0, at) + spelling)
  return [...new Map(spellings.map((spelling) => [spelling.toLowerCase(), spelling])).values()]
}

/** Throws `invalid` for a new password below the shortest length of the operator's settings. */
export function checkNewPassword(path: string, password: string, minLength: number): void {
  if (countCharacters(password) < minLength) {
    throw new AppError(accountErrors.passwordTooShort, { limit: minLength }, { path })
  }
}

/** Throws `invalid` for a new password that is easy to guess, where `common` has the most common ones. */
export function checkWeakness(
  path: string,
  password: string,
  known: { words: readonly string[]; common: ReadonlySet<string> },
): void {
  const weakness = findPasswordWeakness(password, known)
  if (weakness) throw new AppError(weakPasswords[weakness], { path })
}

const weakPasswords: Record<PasswordWeakness, Failure> = {
  repeats: accountErrors.passwordRepeats,
  ofOwner: accountErrors.passwordOfOwner,
  common: accountErrors.passwordCommon,
}

/**
 * Validates a password change in the order of the form's messages.
 *
 * Does not verify `oldPassword`. Throws `forbidden` for the shared demonstration account before anything else,
 * otherwise `invalid`.
 */
export function checkPasswordChange(
  username: string,
  { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
  { passwordMinLength, demoAccount }: { passwordMinLength: number; demoAccount: boolean },
): void {
  if (isTestAccount(username, { demoAccount })) throw new AppError(accountErrors.sharedAccountPassword)
  if (!oldPassword && !newPassword) {
    throw new AppError(accountErrors.passwordsMissing, { path: 'newPassword' })
  }
  if (!oldPassword) throw new AppError(accountErrors.currentPasswordMissing, { path: 'oldPassword' })
  if (!newPassword) throw new AppError(accountErrors.newPasswordMissing, { path: 'newPassword' })
  if (newPassword === oldPassword) throw new AppError(accountErrors.newPasswordSame, { path: 'newPassword' })
  checkNewPassword('newPassword', newPassword, passwordMinLength)
}

/**
 * Names that visitors would mistake for the operator, or for a page of the site. Usernames have letters and digits
 * only, so there are no lookalikes. The operator's command can still create them.
 */
const reservedUsernames = new Set(
  [
    ['admin', 'administrator', 'root', 'superuser', 'sysadmin', 'webmaster', 'postmaster', 'hostmaster'],
    ['support', 'helpdesk', 'moderator', 'moderators', 'staff', 'official', 'security', 'abuse', 'kinora'],
    ['about', 'search', 'login', 'register', 'logout', 'notfound', 'embed', 'share', 'dashboard', 'upload'],
    ['api', 'media', 'assets', 'metrics', 'healthz', 'readyz', 'sitemap', 'robots', 'null', 'undefined'],
  ].flat(),
)

/** Throws `invalid` for a reserved username. */
export function checkUsername(username: string): void {
  if (reservedUsernames.has(username.toLowerCase()))
    throw new AppError(accountErrors.usernameReserved, { path: 'username' })
}

/** Throws `invalid` if a form lacks its picture; an empty file counts as missing. */
export function requirePicture<File extends { sizeBytes: number }>(
  file: File | undefined,
  path: string,
  failure: Failure,
): File {
  if (!file || file.sizeBytes === 0) throw new AppError(failure, { path })
  return file
}
