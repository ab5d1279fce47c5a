const KEY = 'kinora.positions'
const MOST = 200

/** Where somebody stopped, by video, most recent last. */
export type Positions = readonly (readonly [videoId: string, seconds: number])[]

/** The positions after one more; 0 forgets the video, and the oldest make room. */
export function withPosition(positions: Positions, videoId: string, seconds: number): Positions {
  const others = positions.filter(([id]) => id !== videoId)
  return seconds > 0 ? [...others, [videoId, Math.floor(seconds)] as const].slice(-MOST) : others
}

/** Reads what was stored; anything unreadable counts as nothing. */
export function positionsFromStored(stored: string | null): Positions {
  try {
    const value: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(value) ? value.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(entry: unknown): entry is readonly [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number'
}

/** Where this browser stopped watching a video; 0 when it never did. */
export function localPosition(videoId: string): number {
  return read().find(([id]) => id === videoId)?.[1] ?? 0
}

export function saveLocalPosition(videoId: string, seconds: number): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(withPosition(read(), videoId, seconds)))
  } catch {
    // Storage may be blocked or full: then the video simply begins at its beginning.
  }
}

function read(): Positions {
  try {
    return positionsFromStored(localStorage.getItem(KEY))
  } catch {
    return []
  }
}
