import { z } from 'zod'
import { liveVisibilities } from '../constants.ts'
import { endpoint } from '../endpoint.ts'
import { clearableText, requiredLine } from '../text.ts'
import { UsernameParam } from '../accounts/users.ts'
import { Visibility, VideoId } from '../videos/videos.ts'

/** Why a live stream ended, or an encoder was refused. */
export const liveEndReasons = [
  'address_busy',
  'bitrate',
  'disk_full',
  'ended_by_moderator',
  'ended_by_owner',
  'failed',
  'format_changed',
  'keyframes',
  'key_unknown',
  'length',
  'lost',
  'not_allowed',
  'not_playable',
  'protocol',
  'quota',
  'stopped',
  'streams_of_account',
  'streams_of_site',
  'suspended',
  'taken_down',
  'timeout',
  'unsupported_audio',
  'unsupported_video',
] as const
export const LiveEndReason = z.enum(liveEndReasons)
export type LiveEndReason = z.infer<typeof LiveEndReason>

/** Measurements of what the encoder of a stream sends. */
export const LiveHealth = z.object({
  bitsPerSecond: z.number(),
  keyframeSeconds: z
    .number()
    .nullable()
    .describe('Distance of the last two keyframes. Two seconds are best.'),
  framesPerSecond: z.number(),
  width: z.number().int(),
  height: z.number().int(),
  hasAudio: z.boolean(),
  droppedFrames: z.number().int().describe('Frames that arrived too late, or cannot be played.'),
  lateMs: z.number().describe('How much later frames arrive than the fastest did.'),
})
export type LiveHealth = z.infer<typeof LiveHealth>

export const LiveStream = z.object({
  videoId: VideoId,
  title: z.string(),
  visibility: Visibility,
  username: z.string().describe('Of the channel.'),
  fullname: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  endReason: LiveEndReason.nullable(),
  isConnected: z
    .boolean()
    .describe('Whether the encoder sends. Another connection within a minute continues the stream.'),
  isFromBrowser: z.boolean().describe('Whether a browser sends it. Otherwise an encoder does.'),
  keepsRecording: z.boolean().describe('Whether it stays as a video after its end.'),
  durationSeconds: z.number(),
  sizeBytes: z.number(),
  viewers: z.number().int().describe('Viewers at the moment.'),
  peakViewers: z.number().int(),
  health: LiveHealth.nullable(),
})
export type LiveStream = z.infer<typeof LiveStream>

/** Details with which each stream of a channel begins. */
export const LiveTemplate = z.object({
  title: requiredLine('Title', 'titleMaxCharacters'),
  description: clearableText('Description', 'descriptionMaxCharacters'),
  visibility: z.enum(liveVisibilities),
  keepsRecording: z.boolean().describe('Whether the stream stays as a video after its end.'),
})
export type LiveTemplate = z.infer<typeof LiveTemplate>

/** A template that is kept for a show. */
export const LiveShow = LiveTemplate.extend({ id: z.string() })
export type LiveShow = z.infer<typeof LiveShow>

export const LiveChannel = z.object({
  mayStream: z.boolean().describe('By the role, or because an administrator allows it.'),
  servers: z.array(z.string()).describe('Addresses for the encoder: RTMPS first, where the site has it.'),
  hasKey: z.boolean(),
  template: LiveTemplate.nullable().describe('Null until one is saved.'),
  stream: LiveStream.nullable().describe('The one that runs, or else the last.'),
  refusal: z
    .object({ reason: LiveEndReason, at: z.iso.datetime() })
    .nullable()
    .describe(
      'Why the last encoder was refused, within ten minutes and unless a stream began since; while one runs, within a minute.',
    ),
})
export type LiveChannel = z.infer<typeof LiveChannel>

export const LiveKey = z.object({ key: z.string().nullable().describe('Null where there is none yet.') })

/** Status of a stream for the watch page. */
export const LiveStatus = z.object({
  isLive: z.boolean(),
  isConnected: z.boolean().describe('Where the encoder is not connected, it has a minute to connect again.'),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  viewers: z.number().int(),
})
export type LiveStatus = z.infer<typeof LiveStatus>

/** The number of a piece, and why the stream has ended. */
export const PieceReceipt = z.object({
  nextPiece: z.number().int().describe('The piece that the server takes next.'),
  endReason: LiveEndReason.nullable().describe('Null while it takes pieces.'),
})
export type PieceReceipt = z.infer<typeof PieceReceipt>

const auth = 'required'
const tag = 'live-streams'
const params = z.object({ id: VideoId })

export const getLiveChannel = endpoint({
  name: 'getLiveChannel',
  tag,
  summary: 'What the own channel needs to stream live, and the stream that runs',
  method: 'GET',
  path: '/studio/live',
  auth,
  result: LiveChannel,
  message: 'Live',
})

export const putLiveTemplate = endpoint({
  name: 'putLiveTemplate',
  tag,
  summary: 'Chooses what the next streams of the own channel begin with',
  method: 'PUT',
  path: '/studio/live',
  auth,
  body: LiveTemplate,
  result: LiveChannel,
  message: 'Template saved',
})

export const listLiveShows = endpoint({
  name: 'listLiveShows',
  tag,
  summary: 'The shows of the own channel: templates for its streams',
  method: 'GET',
  path: '/studio/live/shows',
  auth,
  result: z.array(LiveShow),
  message: 'Shows',
})

export const createLiveShow = endpoint({
  name: 'createLiveShow',
  tag,
  summary: 'Keeps a template as a show of the own channel',
  method: 'POST',
  path: '/studio/live/shows',
  auth,
  body: LiveTemplate,
  result: LiveShow,
  message: 'Show saved',
})

export const deleteLiveShow = endpoint({
  name: 'deleteLiveShow',
  tag,
  summary: 'Deletes a show of the own channel',
  method: 'DELETE',
  path: '/studio/live/shows/:id',
  auth,
  params: z.object({ id: z.string() }),
  result: z.null(),
  message: 'Show deleted',
})

export const getLiveKey = endpoint({
  name: 'getLiveKey',
  tag,
  summary: 'The stream key of the own channel',
  method: 'GET',
  path: '/studio/live/key',
  auth,
  result: LiveKey,
  message: 'Stream key',
})

export const createLiveKey = endpoint({
  name: 'createLiveKey',
  tag,
  summary: 'Creates the stream key of the own channel, or replaces it: the one before stops working',
  method: 'POST',
  path: '/studio/live/key',
  auth,
  result: LiveKey,
  message: 'Stream key created',
})

export const openBrowserStream = endpoint({
  name: 'openBrowserStream',
  tag,
  summary:
    'Streams from a browser: returns an id for its pieces, each a POST to /studio/live/browser/{id}/{number}',
  method: 'POST',
  path: '/studio/live/browser',
  auth,
  result: z.object({ id: z.string() }),
  message: 'Stream opened',
})

export const leaveBrowserStream = endpoint({
  name: 'leaveBrowserStream',
  tag,
  summary:
    'States that the page of a stream from a browser closes: another one can continue the stream without a wait',
  method: 'DELETE',
  path: '/studio/live/browser/:id',
  auth,
  params: z.object({ id: z.string() }),
  result: z.null(),
  message: 'Stream left',
})

export const endOwnLiveStream = endpoint({
  name: 'endOwnLiveStream',
  tag,
  summary: 'Ends the running stream of the own channel',
  method: 'DELETE',
  path: '/studio/live',
  auth,
  result: LiveChannel,
  message: 'Stream ended',
})

export const getLiveStatus = endpoint({
  name: 'getLiveStatus',
  tag,
  summary: 'Whether a video is live, and how many watch it; null for one that never was',
  method: 'GET',
  path: '/video/:id/live',
  auth: 'optional',
  params,
  result: LiveStatus.nullable(),
  message: 'Live',
})

export const listLiveStreams = endpoint({
  name: 'listLiveStreams',
  tag,
  summary: 'Streams that run now',
  method: 'GET',
  path: '/administration/live',
  auth,
  role: 'moderator',
  result: z.array(LiveStream),
  message: 'Live streams',
})

export const listLiveChannels = endpoint({
  name: 'listLiveChannels',
  tag,
  summary: 'Accounts that administrators allow to stream live, whatever their role',
  method: 'GET',
  path: '/administration/live/channels',
  auth,
  role: 'administrator',
  result: z.array(z.object({ username: z.string(), fullname: z.string() })),
  message: 'Accounts that may stream',
})

export const putLivePermission = endpoint({
  name: 'putLivePermission',
  tag,
  summary: 'Allows an account to stream live, or no longer',
  method: 'PUT',
  path: '/administration/live/channels/:username',
  auth,
  role: 'administrator',
  params: UsernameParam,
  body: z.object({ isAllowed: z.boolean() }),
  result: z.null(),
  message: 'Permission saved',
})
