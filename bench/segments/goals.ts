import type { Row } from '../report.ts'

/** A goal and the measured value. */
export type Goal = { what: string; goal: number; seen: number; holds: 'yes' | 'missed' }

/** The result of one benchmark: its table and its goals. */
export type Part = () => Promise<{ rows: Row[]; goals: Goal[] }>

export function atMost(what: string, goal: number, seen: number): Goal {
  return { what, goal, seen, holds: seen <= goal ? 'yes' : 'missed' }
}

export function atLeast(what: string, goal: number, seen: number): Goal {
  return { what, goal, seen, holds: seen >= goal ? 'yes' : 'missed' }
}

/** Rounds to a number of decimal places. */
export function round(value: number, places = 0): number {
  return Math.round(value * 10 ** places) / 10 ** places
}

/** Returns a quantile. */
export function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}
