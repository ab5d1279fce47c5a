import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { errors } from '../errors.ts'
import { wrong } from '../field-errors.ts'
import { PageQuery } from '../page-query.ts'
import { limitedLine } from '../text.ts'
import { videoErrors } from './errors.ts'
import { DetailedVideo, VideoId, VideoOwner } from './videos.ts'

/** Limits of links: per video or playlist, of their names, and of viewers and characters of a password. */
export const shareLinksPerSubject = 200
const nameMaxCharacters = 80
const viewersMax = 100_000
const passwordMaxCharacters = 200

const ofVideo = z.object({ id: VideoId })
const ofLink = ofVideo.extend({ linkId: z.string().min(1).max(64) })

/** The visit of a browser that has opened a link. */
export const Visit = z.string().min(1).max(64).describe('Of the response to `openShareLink`.')

/** A link with which people without an account watch a video, or the videos of a playlist, that are not for everybody. */
export const ShareLink = z.object({
  _id: z.string(),
  name: z.string().describe('For the owner, who reads it in the list.'),
  secret: z.string().describe('Part of the address behind `#`, so that it is in no log: `/shared#secret`.'),
  hasPassword: z.boolean(),
  expiresAt: z.iso.datetime().nullable().describe('Null for a link without an end.'),
  maxViewers: z.number().int().nullable().describe('Null for any number.'),
  allowsDownload: z.boolean().describe('Whether viewers may download the uploaded file.'),
  viewers: z.number().int().describe('Browsers that have opened it.'),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime().nullable().describe('When it was last opened.'),
  isListed: z.boolean().describe('Whether lists show the video with a lock, which its password opens.'),
  showsPicture: z.boolean().describe('Whether they show its picture, too.'),
})
export type ShareLink = z.infer<typeof ShareLink>

/** Choices of the owner about a new link. */
export const NewShareLink = z.object({
  name: limitedLine('Name', nameMaxCharacters)
    .min(1, wrong(errors.required, { label: 'Name' }))
    .describe('Who gets it.'),
  password: z.string().min(1).max(passwordMaxCharacters).optional().describe('Asked for when it is opened.'),
  expiresAt: z.iso
    .datetime({ offset: true })
    .refine((time) => Date.parse(time) < Date.UTC(9999), wrong(videoErrors.shareLinkEnd))
    .optional(),
  maxViewers: z.number().int().min(1).max(viewersMax).optional().describe('Browsers that may open it.'),
  allowsDownload: z.boolean().optional().describe('False by default.'),
})
export type NewShareLink = z.output<typeof NewShareLink>

export const listShareLinks = endpoint({
  name: 'listShareLinks',
  tag: 'share-links',
  summary: 'Links to an own video, newest first',
  method: 'GET',
  path: '/studio/videos/:id/share-links',
  auth: 'required',
  channelRole: 'manager',
  params: ofVideo,
  result: z.array(ShareLink),
  message: 'Share links',
})

export const createShareLink = endpoint({
  name: 'createShareLink',
  tag: 'share-links',
  summary: `Creates a link to an own video; at most ${shareLinksPerSubject} per video`,
  method: 'POST',
  path: '/studio/videos/:id/share-links',
  auth: 'required',
  channelRole: 'manager',
  params: ofVideo,
  body: NewShareLink.extend({
    isListed: z
      .boolean()
      .optional()
      .describe(
        'Lists the video with a lock for those who may not watch it; needs a password. At most one link.',
      ),
    showsPicture: z.boolean().optional().describe('Shows its picture there. False by default.'),
  }),
  status: 201,
  result: ShareLink,
  message: 'Share link created',
})

export const deleteShareLink = endpoint({
  name: 'deleteShareLink',
  tag: 'share-links',
  summary: 'Revokes a link to an own video: its viewers get no further byte',
  method: 'DELETE',
  path: '/studio/videos/:id/share-links/:linkId',
  auth: 'required',
  channelRole: 'manager',
  params: ofLink,
  result: z.null(),
  message: 'Share link revoked',
})

/** A video as a link shows it. */
export const SharedVideo = DetailedVideo.extend({
  videoFile: z.string().nullable().describe('URL of the file; null where the link allows no download.'),
})
export type SharedVideo = z.infer<typeof SharedVideo>

export const recordSharedView = endpoint({
  name: 'recordSharedView',
  tag: 'share-links',
  summary: 'Records a view of the video of a link, from a browser that has opened it and plays it',
  method: 'POST',
  path: '/share-links/view',
  auth: 'none',
  body: z.object({
    visit: Visit,
    videoId: VideoId.optional().describe('Of a link to a playlist: the video that plays.'),
  }),
  result: z.null(),
  message: 'View recorded',
})

/** The browser that opens a link. */
const OpeningBrowser = z.object({
  password: z.string().max(passwordMaxCharacters).optional(),
  visit: z
    .string()
    .max(64)
    .optional()
    .describe('Of the last response to this browser, which then counts as one viewer and needs no password.'),
})

const OpenedLink = z.object({
  visit: z.string(),
  video: SharedVideo.nullable().describe('Null for a link to a playlist: see `getSharedPlaylist`.'),
})

export const openShareLink = endpoint({
  name: 'openShareLink',
  tag: 'share-links',
  summary: 'Opens a link, for anyone: its video, with addresses that work until the link ends',
  method: 'POST',
  path: '/share-links/open',
  auth: 'none',
  body: OpeningBrowser.extend({ secret: z.string().min(1).max(64) }),
  result: OpenedLink,
  message: 'Shared video',
})

/** All that lists show of a video with a lock. */
export const LockedVideo = z.object({
  _id: VideoId,
  title: z.string(),
  thumbnail: z.string().nullable().describe('Null unless its owner shows it.'),
  videoOwner: VideoOwner,
})
export type LockedVideo = z.infer<typeof LockedVideo>

export const listLockedVideos = endpoint({
  name: 'listLockedVideos',
  tag: 'share-links',
  summary: 'Videos that open with a password, newest first, without those that the caller may watch anyway',
  method: 'GET',
  path: '/locked-videos',
  auth: 'optional',
  query: PageQuery.extend({
    username: z.string().max(64).optional().describe('Only those of this channel.'),
  }),
  result: z.array(LockedVideo),
  paged: true,
  message: 'Locked videos',
})

export const getLockedVideo = endpoint({
  name: 'getLockedVideo',
  tag: 'share-links',
  summary: 'What a video with a lock shows before it is opened',
  method: 'GET',
  path: '/locked-videos/:id',
  auth: 'optional',
  params: ofVideo,
  result: LockedVideo,
  message: 'Locked video',
})

export const openLockedVideo = endpoint({
  name: 'openLockedVideo',
  tag: 'share-links',
  summary: 'Opens a video with a lock by its password, as its share link does',
  method: 'POST',
  path: '/locked-videos/:id/open',
  auth: 'none',
  params: ofVideo,
  body: OpeningBrowser,
  result: OpenedLink,
  message: 'Shared video',
})
