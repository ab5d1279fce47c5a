import { wrong } from '../field-errors.ts'
import { videoErrors } from './errors.ts'
import { errors } from '../errors.ts'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Captions, VideoId } from './videos.ts'

export const maxCaptions = 50

/** Captions as the owner of the video sees them. They come from the video file, or were added to replace or extend those. */
export const OwnCaptions = Captions.extend({
  _id: z
    .string()
    .nullable()
    .describe('Null for a track of the video file: to edit it, add a copy with `fileTrack`.'),
  isDefault: z.boolean().describe('Whether players list it first.'),
  fileTrack: z
    .number()
    .int()
    .nullable()
    .describe(
      'Index among the caption tracks of the video file: of this track, or of the track that these captions replace.',
    ),
})
export type OwnCaptions = z.infer<typeof OwnCaptions>

/** Whether a text is a language tag of BCP 47. */
export function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    // A RangeError for malformed tags.
    return false
  }
}

/** A language that somebody states. */
export const LanguageTag = z
  .string(wrong(videoErrors.languageRequired))
  .trim()
  .max(35, wrong(videoErrors.languageTooLong))
  .refine(isLanguage, { ...wrong(videoErrors.languageTag), abort: true })
  .overwrite((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag)
  .describe('BCP 47.')
const Label = z
  .string(wrong(errors.notText, { label: 'Label' }))
  .trim()
  .max(60, wrong(videoErrors.labelTooLong))
  .regex(/^\P{C}*$/u, wrong(videoErrors.labelOneLine))
  .describe('Name in the menu of the player; the name of the language when empty.')
const Flag = z.enum(['true', 'false'], wrong(videoErrors.flagFormat))

/** Form fields of new captions. */
export const CaptionsFields = z.object({
  language: LanguageTag,
  label: Label.optional(),
  isDefault: Flag.optional(),
  fileTrack: z.coerce
    .number(wrong(videoErrors.fileTrackFormat))
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('Index among the caption tracks of the video file: the track that these captions replace.'),
})
/** Form fields of changed captions; missing ones stay unchanged. */
export const CaptionsChanges = CaptionsFields.omit({ fileTrack: true })
  .extend({
    url: z
      .string()
      .max(300)
      .describe('URL of the captions that were edited: returns 409 when they were changed since.'),
  })
  .partial()

const params = z.object({ id: VideoId })
const trackParams = params.extend({ captionsId: z.string().min(1).max(64) })
const file = 'WebVTT or SubRip, up to 2 MB'

export const listOwnCaptions = endpoint({
  name: 'listOwnCaptions',
  tag: 'captions',
  summary: 'All captions of an own video, added ones and those of the video file',
  method: 'GET',
  path: '/studio/videos/:id/captions',
  auth: 'required',
  channelRole: 'editor',
  params,
  result: z.array(OwnCaptions),
  message: 'Captions',
})

export const addCaptions = endpoint({
  name: 'addCaptions',
  tag: 'captions',
  summary: 'Adds captions to an own video; errors in the file are listed with their lines',
  method: 'POST',
  path: '/studio/videos/:id/captions',
  auth: 'required',
  channelRole: 'editor',
  params,
  body: CaptionsFields,
  files: { captions: { required: true, description: file } },
  result: z.array(OwnCaptions),
  status: 201,
  message: 'Captions added',
})

export const changeCaptions = endpoint({
  name: 'changeCaptions',
  tag: 'captions',
  summary: 'Changes captions of an own video; missing fields stay unchanged',
  method: 'PATCH',
  path: '/studio/videos/:id/captions/:captionsId',
  auth: 'required',
  channelRole: 'editor',
  params: trackParams,
  body: CaptionsChanges,
  files: { captions: { required: false, description: file } },
  result: z.array(OwnCaptions),
  message: 'Captions saved',
})

export const deleteCaptions = endpoint({
  name: 'deleteCaptions',
  tag: 'captions',
  summary: 'Deletes captions of an own video; a replaced track of the video file reappears unedited',
  method: 'DELETE',
  path: '/studio/videos/:id/captions/:captionsId',
  auth: 'required',
  channelRole: 'editor',
  params: trackParams,
  result: z.array(OwnCaptions),
  message: 'Captions deleted',
})
