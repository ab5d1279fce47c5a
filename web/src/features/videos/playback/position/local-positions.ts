const MAX_POSITIONS = 200

/** One list for each account, and one for visitors. */
export const positionsKeyOf = (userId: string | null) => `kinora.positions.${userId ?? 'visitor'}`

/** Last positions by video, most recent last. */
export type Positions = readonly (readonly [videoId: string, seconds: number])[]

/** Adds a position and drops the oldest beyond the limit; 0 removes the video. */
export function withPosition(positions: Positions, videoId: string, seconds: number): Positions {
  const others = positions.filter(([id]) => id !== videoId)
  return seconds > 0 ? [...others, [videoId, Math.floor(seconds)] as const].slice(-MAX_POSITIONS) : others
}

/** Parses stored positions; unreadable values count as none. */
export function positionsFromStored(stored: string | null): Positions {
  try {
    const value: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(value) ? value.filter(isEntry) : []
  } catch {
    // Not JSON: treated as empty.
    return []
  }
}

function isEntry(entry: unknown): entry is readonly [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number'
}

/** Positions that differ between two stored values; 0 for a video that was removed. */
export function changedPositions(before: string | null, after: string | null): Positions {
  const old = new Map(positionsFromStored(before))
  const next = new Map(positionsFromStored(after))
  const missing = [...old.keys()].filter((id) => !next.has(id)).map((id) => [id, 0] as const)
  // A full list dropped its oldest positions to make room: they are as valid as before.
  const removed = next.size < MAX_POSITIONS ? missing : []
  return [...removed, ...[...next].filter(([id, seconds]) => old.get(id) !== seconds)]
}

/** Positions with changes; 0 removes a video. */
export function withChanges(positions: ReadonlyMap<string, number>, changes: Positions): Map<string, number> {
  const changed = new Map([...positions, ...changes])
  for (const [id, seconds] of changes) if (seconds === 0) changed.delete(id)
  return changed
}

/** Where an account or visitor stopped in this browser, in seconds; 0 if there is none. */
export function localPosition(userId: string | null, videoId: string): number {
  return read(userId).find(([id]) => id === videoId)?.[1] ?? 0
}

export function saveLocalPosition(userId: string | null, videoId: string, seconds: number): void {
  try {
    localStorage.setItem(positionsKeyOf(userId), JSON.stringify(withPosition(read(userId), videoId, seconds)))
  } catch {
    // Storage may be blocked or full: the video then starts from the beginning.
  }
}

function read(userId: string | null): Positions {
  try {
    return positionsFromStored(localStorage.getItem(positionsKeyOf(userId)))
  } catch {
    // Storage may be blocked.
    return []
  }
}
