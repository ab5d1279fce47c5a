import { z } from 'zod'

/** Mark of a video with sensitive content, by its owner or a moderator. */
export const SensitiveMark = z.object({
  reason: z.string().describe('As its viewers read it.'),
  byModerator: z
    .literal(true)
    .optional()
    .describe('A moderator has set the mark. Its owner cannot change it.'),
})
export type SensitiveMark = z.infer<typeof SensitiveMark>
