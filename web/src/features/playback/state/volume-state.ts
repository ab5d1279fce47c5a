/** How loud it is. `volume` is what is heard while it is not muted, so it is never 0: silence keeps what it silenced. */
export type Loudness = { volume: number; isMuted: boolean }

/** What one press of an arrow changes. */
export const VOLUME_STEP = 0.05

/** After somebody asked for a volume from 0 to 1; none at all mutes, and `heardBefore` is what unmuting returns to. */
export function loudnessAt(asked: number, heardBefore: number): Loudness {
  // Steps of a twentieth must meet 0 and 1, which sums of fractions miss.
  const volume = Math.round(Math.min(1, Math.max(0, asked)) * 100) / 100
  return volume === 0 ? { volume: heardBefore, isMuted: true } : { volume, isMuted: false }
}

/** A step louder or quieter. Out of silence louder goes on from where it was; quieter than silence there is nothing. */
export function loudnessAfterStep(before: Loudness, step: number): Loudness {
  return before.isMuted && step < 0 ? before : loudnessAt(before.volume + step, before.volume)
}
