import { type PublicSettings, settingsMeta, defaultSettings } from '@kinora/contract/settings.ts'

/** The operator's settings that forms check, which the server writes into the page's head. */
export const settings: PublicSettings = { ...defaultSettings, ...fromPage() }

function fromPage(): Partial<PublicSettings> {
  if (typeof document === 'undefined') return {}
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${settingsMeta}"]`)?.content
  return content ? (JSON.parse(content) as Partial<PublicSettings>) : {}
}
