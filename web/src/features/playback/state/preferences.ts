/** What a viewer chose and the browser remembers. */
export type PlayerPreferences = {
  volume: number
  isMuted: boolean
  rate: number
  isTheatre: boolean
  showsCaptions: boolean
  /** Of the captions that were last chosen, BCP 47. */
  captionsLanguage: string | undefined
  /** Of the track of sound that was last chosen. */
  soundLanguage: string | undefined
  /** As last measured, in bits per second. */
  bandwidthBps: number | undefined
}

const KEY = 'kinora.player'

export const defaultPreferences: PlayerPreferences = {
  volume: 1,
  isMuted: false,
  rate: 1,
  isTheatre: false,
  showsCaptions: false,
  captionsLanguage: undefined,
  soundLanguage: undefined,
  bandwidthBps: undefined,
}

/** Reads what was stored, value by value: what is missing or nonsense falls back to the default. */
export function preferencesFromStored(stored: string | null): PlayerPreferences {
  const raw = parseObject(stored)
  const number = (key: keyof PlayerPreferences, low: number, high: number) => {
    const value = raw[key]
    return typeof value === 'number' && value >= low && value <= high ? value : undefined
  }
  const language = (key: keyof PlayerPreferences) => {
    const value = raw[key]
    return typeof value === 'string' && /^[\w-]{1,35}$/.test(value) ? value : undefined
  }
  return {
    // Silence is told by `isMuted`.
    volume: number('volume', 0.01, 1) ?? defaultPreferences.volume,
    isMuted: raw['isMuted'] === true,
    rate: number('rate', 0.25, 2) ?? defaultPreferences.rate,
    isTheatre: raw['isTheatre'] === true,
    showsCaptions: raw['showsCaptions'] === true,
    captionsLanguage: language('captionsLanguage'),
    soundLanguage: language('soundLanguage'),
    bandwidthBps: number('bandwidthBps', 1, 1e12),
  }
}

function parseObject(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

export function loadPreferences(): PlayerPreferences {
  try {
    return preferencesFromStored(localStorage.getItem(KEY))
  } catch {
    return defaultPreferences
  }
}

const QUALITY_KEY = 'kinora.quality'

/** The height in lines of the quality that was last chosen in this tab; undefined for Auto. */
export function loadQuality(): number | undefined {
  try {
    return Number(sessionStorage.getItem(QUALITY_KEY)) || undefined
  } catch {
    return undefined
  }
}

/** Keeps the chosen quality for the next videos of this tab; undefined returns to Auto. */
export function saveQuality(lines: number | undefined): void {
  try {
    if (lines === undefined) sessionStorage.removeItem(QUALITY_KEY)
    else sessionStorage.setItem(QUALITY_KEY, String(lines))
  } catch {
    // Storage may be blocked: the choice then holds for this video.
  }
}

/** Remembers some choices beside those already stored. */
export function savePreferences(change: Partial<PlayerPreferences>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...loadPreferences(), ...change }))
  } catch {
    // Storage may be blocked or full: the choice then lasts as long as the page.
  }
}
