import { t } from '@lingui/core/macro'
import { maxChannelLinks } from '@kinora/contract/constants.ts'

/** The addresses of a text, one on each line; `https://` is added where the scheme is missing. */
export function linksOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => (/^[a-z][a-z0-9+.-]*:/i.test(line) ? line : `https://${line}`))
}

/** Validation error of the links of a channel, or undefined. */
export function linksError(links: readonly string[]): string | undefined {
  if (links.length > maxChannelLinks) return t`At most ${maxChannelLinks} links`
  const wrong = links.find((link) => !/^https?:\/\/[^\s]+$/i.test(link) || !URL.canParse(link))
  return wrong === undefined ? undefined : t`“${wrong}” is not the address of a website`
}
