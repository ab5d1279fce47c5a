import { z } from 'zod'

/** Reason and values of a stored text that says why something failed. */
export const StoredCause = z
  .object({
    reason: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number()])),
  })
  .nullable()

/** Reason and values of a field, for programs. */
export const causeOfText = (field: string) =>
  StoredCause.describe(
    `Reason and values of \`${field}\`, as those of errors; null without one, and for old ones.`,
  )
