import { type PublicSettings, settingsMeta, defaultSettings } from '@kinora/contract/settings.ts'
import { useSyncExternalStore } from 'react'

/** The operator's settings that forms check, which the server writes into the page's head. */
export const settings: PublicSettings = { ...defaultSettings, ...fromPage() }

function fromPage(): Partial<PublicSettings> {
  if (typeof document === 'undefined') return {}
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${settingsMeta}"]`)?.content
  return content ? (JSON.parse(content) as Partial<PublicSettings>) : {}
}

let current = settings
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The settings, for parts of the page that stay when an administrator changes them. */
export const useSettings = (): PublicSettings =>
  useSyncExternalStore(
    subscribe,
    () => current,
    () => current,
  )

/** Shows settings of the site in the open page. */
export function showSettings(
  changed: Pick<
    PublicSettings,
    'siteName' | 'siteLogo' | 'siteContact' | 'hasRules' | 'registration' | 'acceptedContainers'
  >,
  accent: string | null,
): void {
  const { siteName, siteLogo, siteContact, hasRules, registration, acceptedContainers } = changed
  const shown = { siteName, siteLogo, siteContact, hasRules, registration, acceptedContainers }
  current = { ...Object.assign(settings, shown) }
  for (const listener of listeners) listener()
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
