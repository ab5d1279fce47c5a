/// <reference types="vite/client" />

interface Navigator {
  /** Network Information API, in Chromium alone: https://wicg.github.io/netinfo/ */
  readonly connection?: { readonly downlink?: number; readonly saveData?: boolean }
}

declare module '*.po' {
  export const messages: Messages
}
