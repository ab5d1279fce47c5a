/** `volume` is the volume while unmuted. It is never 0, so that unmuting restores it. */
export type VolumeState = { volume: number; isMuted: boolean }

/** Change per press of an arrow key. */
export const VOLUME_STEP = 0.05

/** The state for a requested volume from 0 to 1; 0 mutes, and unmuting then restores `previousVolume`. */
export function volumeAt(requested: number, previousVolume: number): VolumeState {
  // Rounded, because repeated steps of 0.05 would miss 0 and 1.
  const volume = Math.round(Math.min(1, Math.max(0, requested)) * 100) / 100
  return volume === 0 ? { volume: previousVolume, isMuted: true } : { volume, isMuted: false }
}

/** One step up or down. From muted, a step up continues from the last volume and a step down changes nothing. */
export function volumeAfterStep(before: VolumeState, step: number): VolumeState {
  return before.isMuted && step < 0 ? before : volumeAt(before.volume + step, before.volume)
}
