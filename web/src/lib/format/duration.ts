/** A length as mm:ss: at least two digits of minutes, never wrapped into hours, seconds cut. */
export function formatDuration(durationSeconds: number | null | undefined): string {
  const whole = Number.isFinite(durationSeconds) ? Math.max(0, Math.floor(durationSeconds ?? 0)) : 0
  const minutes = String(Math.floor(whole / 60)).padStart(2, '0')
  return `${minutes}:${String(whole % 60).padStart(2, '0')}`
}
