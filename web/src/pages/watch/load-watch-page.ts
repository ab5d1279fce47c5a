import { withMessages } from '../../lib/i18n/messages.ts'

/** Loads the watch page and, in parallel, the library of its player. */
export function loadWatchPage() {
  // The player loads it too, and handles a failure.
  import('hls.js').catch(() => undefined)
  return withMessages('watch', () => import('./watch-page.tsx'))
}
