import { plural } from './plural.ts'

const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** A wait for people, in full hours or minutes: `2 hours`. */
export function formatWait(milliseconds: number): string {
  if (milliseconds > hourMs) return plural(Math.ceil(milliseconds / hourMs), 'hour')
  return plural(Math.max(1, Math.ceil(milliseconds / minuteMs)), 'minute')
}
