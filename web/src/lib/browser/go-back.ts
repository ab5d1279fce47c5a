/** One entry of the tab's history on this site. */
export type HistoryStep = { pathname: string; index: number }

/**
 * Number of history entries to go back to leave a failing page: past every error screen and every copy of the failing
 * page itself. Undefined if there are no other entries.
 */
export function stepsBack(
  entries: readonly HistoryStep[],
  current: HistoryStep,
  errorPathname: string,
): number | undefined {
  const target = entries.findLast(
    ({ index, pathname }) =>
      index < current.index && pathname !== current.pathname && pathname !== errorPathname,
  )
  return target && current.index - target.index
}
