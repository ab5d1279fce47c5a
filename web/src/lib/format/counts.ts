/** Truncates, so that a count never promises more. */
const compact = new Intl.NumberFormat('en', { notation: 'compact', roundingMode: 'trunc' })

/** A count short enough for a card: 999, 1.2K, 184K, 1.2M. */
export function formatCount(count: number): string {
  return compact.format(Math.max(0, Number.isFinite(count) ? count : 0))
}

/** A count in full with its separators: 184,203; none is 0. */
export function formatFullCount(count: number | null | undefined): string {
  return (count ?? 0).toLocaleString('en')
}

/** A count with its noun in the right number: "1 view", "1.2K views". */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`
}
