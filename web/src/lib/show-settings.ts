import type { PublicSettings } from '@kinora/contract/settings.ts'
import { changeSettings } from './settings.ts'

/** Shows settings of the site in the open page. */
export function showSettings(
  {
    siteName,
    siteLogo,
    siteContact,
    hasRules,
    registration,
    acceptedContainers,
    sensitiveVideos,
  }: Pick<
    PublicSettings,
    | 'siteName'
    | 'siteLogo'
    | 'siteContact'
    | 'hasRules'
    | 'registration'
    | 'acceptedContainers'
    | 'sensitiveVideos'
  >,
  accent: string | null,
): void {
  changeSettings({
    siteName,
    siteLogo,
    siteContact,
    hasRules,
    registration,
    acceptedContainers,
    sensitiveVideos,
  })
  showAccent(accent)
}

/** Replaces the style sheet with the accent colour of the site. */
function showAccent(accent: string | null): void {
  document.querySelector('link[href^="/site.css"]')?.remove()
  if (accent === null) return
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = `/site.css?accent=${accent.slice(1)}`
  document.head.append(link)
}
