import type { Explanation } from '@kinora/contract/failure.ts'

/** Columns of a row that say why something failed: its English text, and its cause for translations. */
export const failureColumns = ({ message, reason, params }: Explanation) => ({
  failure: message,
  cause: JSON.stringify({ reason, params }),
})
