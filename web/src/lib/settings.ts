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

/** Replaces settings in the open page. */
export function changeSettings(changed: Partial<PublicSettings>): void {
  current = { ...Object.assign(settings, changed) }
  for (const listener of listeners) listener()
}
