/// <reference types="vite/client" />

interface Window {
  /** Set by `start.js`. */
  firstScreenSeen: Promise<void>
}
