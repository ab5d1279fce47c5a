import { z } from 'zod'
import { wrong } from '../field-errors.ts'
import { videoErrors } from './errors.ts'

const maxCharacters = 200

/** Why the content of a video is sensitive, in a few words. */
export const SensitiveReason = z
  .string()
  .trim()
  .min(1, wrong(videoErrors.sensitiveReasonRequired))
  .max(maxCharacters, wrong(videoErrors.sensitiveReasonTooLong, { limit: maxCharacters }))
