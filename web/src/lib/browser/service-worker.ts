/** Later than what a visit begins with, such as the first segments of a video. */
const REGISTER_AFTER_MS = 5_000

/** Registers the service worker after the page has loaded. Embedded players are visits to another site. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || window.top !== window) return
  addEventListener('load', () => {
    // Browsers may refuse, for example while they block storage. The site works without.
    setTimeout(
      () => void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined),
      REGISTER_AFTER_MS,
    )
  })
}
