import { useEffect, useState } from 'react'

export type ThemeMode = 'light' | 'dark'

const KEY = 'theme'

/** A stored value as a theme; anything unknown, or nothing, is light. */
export function themeFromStored(stored: string | null): ThemeMode {
  return stored === 'dark' ? 'dark' : 'light'
}

/** The theme in force and the way to change it. Other tabs follow; render it once. */
export function useTheme(): { mode: ThemeMode; setMode: (mode: ThemeMode) => void } {
  const [mode, setMode] = useState(() => (typeof document === 'undefined' ? 'light' : appliedTheme()))

  useEffect(() => {
    const follow = (stored: string | null) => {
      const next = themeFromStored(stored)
      if (next !== appliedTheme()) apply(next)
      setMode(next)
    }
    // Another tab may have changed it since this page began to load.
    follow(storedTheme())
    const onStorage = ({ key, newValue }: StorageEvent) => {
      // A null key means that the whole storage was cleared.
      if (key === KEY || key === null) follow(newValue)
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [])

  return {
    mode,
    setMode(next) {
      try {
        localStorage.setItem(KEY, next)
      } catch {
        // Storage may be blocked or full: the choice then lasts as long as the page.
      }
      apply(next)
      setMode(next)
    },
  }
}

/** As `start.js` has applied it. */
function appliedTheme(): ThemeMode {
  return themeFromStored(document.documentElement.dataset['theme'] ?? null)
}

function storedTheme(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    // Storage may be blocked; the theme in force stays.
    return appliedTheme()
  }
}

function apply(mode: ThemeMode): void {
  document.documentElement.dataset['theme'] = mode
  const background = getComputedStyle(document.documentElement).getPropertyValue('--bg').trim()
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', background)
}
