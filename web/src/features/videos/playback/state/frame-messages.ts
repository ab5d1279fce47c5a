/** Commands of a page to the embedded player in its frame (`docs/embedding.md`). */
export type FrameCommand =
  | { command: 'listen' | 'play' | 'pause' }
  | { command: 'seek'; seconds: number }
  | { command: 'volume'; volume: number }

/** The command in the data of a message; undefined for messages that are not for the player, and for invalid ones. */
export function parseFrameCommand(data: unknown): FrameCommand | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { type, command, seconds, volume } = data as Record<string, unknown>
  if (type !== 'kinora.command') return undefined
  switch (command) {
    case 'listen':
    case 'play':
    case 'pause':
      return { command }
    case 'seek':
      return isWithin(seconds, Number.MAX_VALUE) ? { command, seconds } : undefined
    case 'volume':
      return isWithin(volume, 1) ? { command, volume } : undefined
    default:
      return undefined
  }
}

const isWithin = (value: unknown, most: number): value is number =>
  typeof value === 'number' && value >= 0 && value <= most
