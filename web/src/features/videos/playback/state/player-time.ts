import { plural } from '@lingui/core/macro'
/** Formats a position for the player: "07:06", "1:02:03". */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0))
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(whole / 60) % 60
  const hours = Math.floor(whole / 3600)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${two(minutes)}:${two(whole % 60)}`
}

/** Formats a position for screen readers: "7 minutes 6 seconds". */
export function spellSeconds(seconds: number): string {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return [
    hours > 0 && plural(hours, { one: '# hour', other: '# hours' }),
    minutes > 0 && plural(minutes, { one: '# minute', other: '# minutes' }),
    (rest > 0 || whole === 0) && plural(rest, { one: '# second', other: '# seconds' }),
  ]
    .filter(Boolean)
    .join(' ')
}
