import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wrong } from '../field-errors.ts'
import { cutMaxRanges } from './cut-times.ts'
import { videoErrors } from './errors.ts'
import { VideoId } from './videos.ts'

const params = z.object({ id: VideoId })

/** A part of the uploaded file that viewers see. Times are those of the whole file. */
export const KeptRange = z.object({
  startSeconds: z.number().min(0).max(1e7),
  endSeconds: z.number().min(0).max(1e7),
})
export type KeptRange = z.infer<typeof KeptRange>

/** The cut of a video as its owner edits it. */
export const VideoCut = z.object({
  sourceDurationSeconds: z.number().describe('Of the whole file.'),
  durationSeconds: z.number().describe('Of what viewers see.'),
  framesPerSecond: z.number().describe('Ranges begin and end at frames of this rate.'),
  keep: z.array(KeptRange).describe('What viewers see, in order; one range of everything without a cut.'),
  publishedAt: z.iso.datetime().nullable().describe('When this cut was published; null without one.'),
  changedAt: z.iso
    .datetime()
    .nullable()
    .describe('When the cut was last published or ended; null for a file that was never cut.'),
  deletion: z
    .object({
      state: z.enum(['running', 'failed']),
      progress: z.number().min(0).max(1),
    })
    .nullable()
    .describe('The deletion of what was cut, while it runs or after it failed; null without one.'),
  isDeletable: z
    .boolean()
    .describe(
      'Whether what is kept can be copied into a file of its own, without encoding picture or sound.',
    ),
  uncutStreamUrl: z.string().describe('Playlist of the whole file, for those who edit the video.'),
  uncutStoryboardUrl: z.string().nullable().describe('Storyboard of the whole file; null until it is there.'),
})
export type VideoCut = z.infer<typeof VideoCut>

export const getCut = endpoint({
  name: 'getCut',
  tag: 'cuts',
  summary: 'What viewers see of the file of an own video',
  method: 'GET',
  path: '/videos/:id/cut',
  auth: 'required',
  channelRole: 'editor',
  params,
  result: VideoCut,
  message: 'Cut',
})

export const putCut = endpoint({
  name: 'putCut',
  tag: 'cuts',
  summary: 'Publishes a cut of an own video: viewers see these parts of its file alone, from now on',
  method: 'PUT',
  path: '/videos/:id/cut',
  auth: 'required',
  channelRole: 'editor',
  params,
  body: z.object({
    keep: z
      .array(KeptRange)
      .min(1)
      .max(cutMaxRanges, wrong(videoErrors.cutRangeLimit, { limit: cutMaxRanges }))
      .describe('In order and without overlap. One range of everything ends the cut.'),
    changedAt: z.iso
      .datetime()
      .nullable()
      .optional()
      .describe(
        'Of the cut that this one replaces: after any other change it is rejected with `cut_changed`.',
      ),
  }),
  result: VideoCut,
  message: 'Cut published',
})

export const deleteCut = endpoint({
  name: 'deleteCut',
  tag: 'cuts',
  summary: 'Ends the cut of an own video: viewers see its whole file again',
  method: 'DELETE',
  path: '/videos/:id/cut',
  auth: 'required',
  channelRole: 'editor',
  params,
  query: z.object({
    changedAt: z.iso
      .datetime()
      .optional()
      .describe('Of the cut to end: after any other change this is rejected with `cut_changed`.'),
  }),
  result: VideoCut,
  message: 'Cut undone',
})

export const deleteRemovedParts = endpoint({
  name: 'deleteRemovedParts',
  tag: 'cuts',
  summary: 'Deletes for good what was cut of an own video: its file becomes what viewers see, by a job',
  method: 'POST',
  path: '/videos/:id/cut/deletion',
  auth: 'required',
  channelRole: 'manager',
  params,
  body: z.object({
    publishedAt: z.iso.datetime().describe('Of the cut, so that no other one becomes final.'),
  }),
  result: VideoCut,
  message: 'What was cut is being deleted',
})

export const keepRemovedParts = endpoint({
  name: 'keepRemovedParts',
  tag: 'cuts',
  summary: 'Stops a deletion of what was cut of an own video, if it has not ended: nothing is deleted then',
  method: 'DELETE',
  path: '/videos/:id/cut/deletion',
  auth: 'required',
  channelRole: 'manager',
  params,
  result: VideoCut,
  message: 'What was cut is kept',
})
