import { pageOf } from '../../paths.ts'

// Read when the code of the page is loaded: the first render replaces the skeleton.
const page = typeof location === 'undefined' ? undefined : pageOf(location.pathname)
const title =
  typeof document === 'undefined' ? undefined : document.querySelector('[data-first-title]')?.textContent

/** The title that the skeleton in the HTML shows already. It stays until the data arrives. Undefined after navigation. */
export function preloadedTitle(): string | undefined {
  return page === pageOf(location.pathname) ? title : undefined
}
