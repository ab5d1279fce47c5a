/** Loads the watch page and, in parallel, the library of its player. */
export function loadWatchPage() {
  // The player loads it too, and handles a failure.
  import('hls.js').catch(() => undefined)
  return import('./watch-page.tsx')
}
