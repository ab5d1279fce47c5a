import { t } from '@lingui/core/macro'
import { findPasswordWeakness, type PasswordWeakness } from '@kinora/contract/accounts/password-weakness.ts'
import { settings } from '../settings.ts'

let common: Promise<ReadonlySet<string>> | undefined

/** The most common passwords. The list has 200 kB, so it is loaded only when somebody is about to choose a password. */
export function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common')
    .then(({ dictionary }) => new Set(dictionary['passwords-common']))
    .catch((error: unknown) => {
      // the form works without the warning, and the next focus tries again
      common = undefined
      console.warn('The list of common passwords could not be loaded', error)
      return new Set<string>()
    })
  return common
}

/** Why a new password is easy to guess; undefined if no reason is known. The password stays in the browser. */
export async function explainWeakness(
  password: string,
  words: readonly string[],
): Promise<string | undefined> {
  const weakness = findPasswordWeakness(password, {
    words: [...words, settings.siteName],
    common: await loadCommonPasswords(),
  })
  return weakness && messageOf(weakness)
}

function messageOf(weakness: PasswordWeakness): string {
  if (weakness === 'repeats') return t`Easy to guess: it repeats a few characters.`
  if (weakness === 'ofOwner') return t`Easy to guess: it mostly repeats your name or the name of the site.`
  return t`Easy to guess: it is among the most common ones, which attackers try first.`
}
