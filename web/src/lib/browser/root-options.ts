import type { RootOptions } from 'react-dom/client'

/** Options of React's root, in pages and in their tests. */
export const rootOptions: RootOptions = {
  // React recovered by rendering again, so this is a warning only.
  onRecoverableError: (error) => console.warn('Drawn in a second try', error),
}
