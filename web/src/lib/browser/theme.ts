import { useSyncExternalStore } from 'react'

export type ThemeMode = 'light' | 'dark'

const KEY = 'theme'
const listeners = new Set<() => void>()

/** A stored value as a theme; anything unknown, or nothing, is light. */
export function themeFromStored(stored: string | null): ThemeMode {
  return stored === 'dark' ? 'dark' : 'light'
}

/** The theme in force and the way to change it; other tabs follow. */
export function useTheme(): { mode: ThemeMode; setMode: (mode: ThemeMode) => void } {
  return { mode: useSyncExternalStore(subscribe, appliedTheme, () => 'light'), setMode }
}

function appliedTheme(): ThemeMode {
  return themeFromStored(document.documentElement.dataset['theme'] ?? null)
}

function setMode(mode: ThemeMode): void {
  try {
    localStorage.setItem(KEY, mode)
  } catch {
    // Storage may be blocked or full: the choice then lasts as long as the page.
  }
  apply(mode)
}

function apply(mode: ThemeMode): void {
  document.documentElement.dataset['theme'] = mode
  const background = getComputedStyle(document.documentElement).getPropertyValue('--bg').trim()
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', background)
  for (const listener of listeners) listener()
}

function followOtherTabs(event: StorageEvent): void {
  // A null key means that the whole storage was cleared.
  if (event.key === KEY || event.key === null) apply(themeFromStored(event.newValue))
}

let isFollowing = false

/** From the first use to the end of the page; what another tab chose since the page began to load counts as well. */
function follow(): void {
  if (isFollowing) return
  isFollowing = true
  addEventListener('storage', followOtherTabs)
  try {
    const stored = themeFromStored(localStorage.getItem(KEY))
    if (stored !== appliedTheme()) apply(stored)
  } catch {
    // Storage may be blocked; the default theme applies.
  }
}

function subscribe(listener: () => void): () => void {
  follow()
  listeners.add(listener)
  return () => listeners.delete(listener)
}
