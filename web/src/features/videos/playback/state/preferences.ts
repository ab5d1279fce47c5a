/** Player preferences that the browser stores. */
export type PlayerPreferences = {
  volume: number
  isMuted: boolean
  rate: number
  isTheatre: boolean
  /** Opens the next video at the end of one. */
  autoplaysNext: boolean
  /** The same in a playlist. */
  autoplaysPlaylist: boolean
  /** A playing video continues in a corner of the next page. */
  playsInCorner: boolean
  /** Undefined until it is chosen: the browser's own setting applies. */
  savesData: boolean | undefined
  showsCaptions: boolean
  /** BCP 47 language of the last chosen captions. */
  captionsLanguage: string | undefined
  /** BCP 47 language of the last chosen audio track. */
  audioLanguage: string | undefined
  /** Last measurement, in bits per second. */
  bandwidthBps: number | undefined
}

const KEY = 'kinora.player'

export const defaultPreferences: PlayerPreferences = {
  volume: 1,
  isMuted: false,
  rate: 1,
  isTheatre: false,
  autoplaysNext: false,
  autoplaysPlaylist: true,
  playsInCorner: false,
  savesData: undefined,
  showsCaptions: false,
  captionsLanguage: undefined,
  audioLanguage: undefined,
  bandwidthBps: undefined,
}

/** Parses stored preferences; missing or invalid values fall back to their default. */
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
    // Never 0: `isMuted` represents muting.
    volume: number('volume', 0.01, 1) ?? defaultPreferences.volume,
    isMuted: raw['isMuted'] === true,
    rate: number('rate', 0.25, 2) ?? defaultPreferences.rate,
    isTheatre: raw['isTheatre'] === true,
    autoplaysNext: raw['autoplaysNext'] === true,
    autoplaysPlaylist: raw['autoplaysPlaylist'] !== false,
    playsInCorner: raw['playsInCorner'] === true,
    savesData: typeof raw['savesData'] === 'boolean' ? raw['savesData'] : undefined,
    showsCaptions: raw['showsCaptions'] === true,
    captionsLanguage: language('captionsLanguage'),
    audioLanguage: language('audioLanguage'),
    bandwidthBps: number('bandwidthBps', 1, 1e12),
  }
}

function parseObject(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // Not JSON: defaults apply.
    return {}
  }
}

export function loadPreferences(): PlayerPreferences {
  try {
    return preferencesFromStored(localStorage.getItem(KEY))
  } catch {
    // Storage may be blocked.
    return defaultPreferences
  }
}

/** Whether to load less data: as chosen here, else as the browser's own setting says. */
export function savesData(): boolean {
  return loadPreferences().savesData ?? navigator.connection?.saveData === true
}

const QUALITY_KEY = 'kinora.quality'

/** Lines of the rendition last chosen in this tab; undefined for Auto. */
export function loadQuality(): number | undefined {
  try {
    return Number(sessionStorage.getItem(QUALITY_KEY)) || undefined
  } catch {
    // Storage may be blocked.
    return undefined
  }
}

/** Saves the chosen quality for the next videos in this tab; undefined returns to Auto. */
export function saveQuality(lines: number | undefined): void {
  try {
    if (lines === undefined) sessionStorage.removeItem(QUALITY_KEY)
    else sessionStorage.setItem(QUALITY_KEY, String(lines))
  } catch {
    // Storage may be blocked: the choice then applies to this video only.
  }
}

/** Merges a change into the stored preferences. */
export function savePreferences(change: Partial<PlayerPreferences>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...loadPreferences(), ...change }))
  } catch {
    // Storage may be blocked or full: the choice then lasts until the page is closed.
  }
}
