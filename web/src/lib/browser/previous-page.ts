let current: string | undefined
let previous: string | undefined

/** Records the path of the page that is shown. Dialogs over a page have its path. */
export function recordPage(path: string): void {
  if (path === current) return
  previous = current
  current = path
}

/** The path of the page before this one in this tab; undefined on the first one since the site was opened. */
export function previousPage(): string | undefined {
  return previous
}
