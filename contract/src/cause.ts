import { z } from 'zod'

/** Reason and values of a text that says why something failed, for programs. */
export const causeOfText = (field: string) =>
  z
    .object({
      reason: z.string(),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
    })
    .nullable()
    .describe(`Reason and values of \`${field}\`, as those of errors; null without one, and for old ones.`)
