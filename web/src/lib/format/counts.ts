const SUFFIXES = ['', 'K', 'M', 'B', 'T']

/** A count short enough for a card: 999, 1.2K, 184K, 1.2M. Cut rather than rounded, so that it never promises more. */
export function formatCount(count: number): string {
  let rest = Math.max(0, Math.floor(Number.isFinite(count) ? count : 0))
  let power = 0
  let tenths = 0
  while (rest >= 1000 && power < SUFFIXES.length - 1) {
    tenths = Math.floor((rest % 1000) / 100)
    rest = Math.floor(rest / 1000)
    power += 1
  }
  const fraction = power > 0 && rest < 10 && tenths > 0 ? `.${tenths}` : ''
  return `${rest}${fraction}${SUFFIXES[power] ?? ''}`
}

/** A count in full with its separators: 184,203; none is 0. */
export function formatFullCount(count: number | null | undefined): string {
  return (count ?? 0).toLocaleString('en')
}

/** A count with its noun in the right number: "1 view", "1.2K views". */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`
}
