/// <reference types="vite/client" />

interface Window {
  /** Set by `start.js`. */
  firstScreenSeen: Promise<void>
}

interface Navigator {
  /** Network Information API, in Chromium alone: https://wicg.github.io/netinfo/ */
  readonly connection?: { readonly downlink?: number }
}
