import type { ClipChoice } from '@kinora/contract/watching/clips.ts'

/** A choice as it is stored. */
export const toAllowed = (choice: ClipChoice): boolean | null =>
  choice === 'default' ? null : choice === 'allowed'

/** A stored choice. */
export const toChoice = (allowed: boolean | null): ClipChoice =>
  allowed === null ? 'default' : allowed ? 'allowed' : 'off'
