import { wrong } from '../field-errors.ts'
import { videoErrors } from './errors.ts'
import { z } from 'zod'
import { normalizeTag } from '../characters.ts'
import { categoryNames, licenceNames, maxTags } from './labels.ts'

const tagMaxCharacters = 50

const tagPattern = /^[\p{L}\p{M}\p{N}_]+(?:-[\p{L}\p{M}\p{N}_]+)*$/u

export const Tag = z
  .string(wrong(videoErrors.tagFormat))
  .overwrite(normalizeTag)
  .max(tagMaxCharacters, wrong(videoErrors.tagTooLong, { limit: tagMaxCharacters }))
  .regex(tagPattern, wrong(videoErrors.tagCharacters))

export const Tags = z
  .array(Tag)
  .overwrite((tags) => [...new Set(tags)])
  .max(maxTags, wrong(videoErrors.tagLimit, { limit: maxTags }))

export const Category = z.enum(categoryNames, wrong(videoErrors.categoryUnknown))
export type Category = z.infer<typeof Category>

export const Licence = z.enum(licenceNames, wrong(videoErrors.licenceUnknown))
export type Licence = z.infer<typeof Licence>

const Language = z.string().regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, wrong(videoErrors.languageTag))

/** Metadata of a video that its owner enters. */
export const VideoMetadata = z.object({
  tags: z.array(z.string()).describe('Lower case, without `#`.'),
  category: Category.nullable(),
  language: z.string().nullable().describe('Spoken language, BCP 47.'),
  licence: Licence.nullable().describe('SPDX identifier in lower case; null for all rights reserved.'),
  commentsAllowed: z.boolean().describe('Whether comments can be added.'),
  commentsHeld: z.boolean().describe('Whether comments of others wait for approval.'),
  downloadsAllowed: z.boolean().describe('Whether the page of the video links to its file.'),
})
export type VideoMetadata = z.infer<typeof VideoMetadata>

/** Fields of a request that changes metadata. Omitted fields stay unchanged. */
export const metadataChanges = {
  tags: Tags.optional().describe('All tags; spaces become hyphens.'),
  category: Category.nullish().describe('Null removes it.'),
  language: Language.nullish().describe('Spoken language, BCP 47. Null removes it.'),
  licence: Licence.nullish().describe('Null for all rights reserved.'),
  commentsAllowed: z.boolean().optional(),
  commentsHeld: z.boolean().optional(),
  downloadsAllowed: z.boolean().optional(),
}
