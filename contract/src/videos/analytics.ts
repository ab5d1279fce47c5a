import { wrong } from '../field-errors.ts'
import { videoErrors } from './errors.ts'
import { z } from 'zod'
import { retentionParts } from '../constants.ts'
import { ChannelQuery } from '../channel-roles.ts'
import { endpoint } from '../endpoint.ts'
import { VideoId } from './videos.ts'

/** Where a viewer came from. */
export const TrafficSource = z.enum([
  'home',
  'search',
  'channel',
  'recommendations',
  'subscriptions',
  'playlist',
  'browse',
  'direct',
  'external',
  'embed',
  'other',
])
export type TrafficSource = z.infer<typeof TrafficSource>

/** Name of another site, without path and port. */
const HostName = z
  .string()
  .max(200)
  .regex(/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i)
  .toLowerCase()

export const PlaybackReport = z.object({
  isFirst: z.boolean().describe('Whether this is the first report of this playback. Later ones add to it.'),
  watchedSeconds: z
    .number()
    .min(0)
    .max(1e7)
    .describe('Seconds of the video that were played since the report before; repeated parts count again.'),
  parts: z
    .array(
      z
        .number()
        .int()
        .min(0)
        .max(retentionParts - 1),
    )
    .max(retentionParts)
    .describe(
      `Parts of the video that were watched and not reported before, from 0 to ${retentionParts - 1}.`,
    ),
  source: TrafficSource,
  host: HostName.optional().describe('The other site, for the sources `external` and `embed`.'),
  captions: z
    .string()
    .max(35)
    .regex(/^[a-z\d-]+$/i)
    .toLowerCase()
    .nullable()
    .describe('Language of the captions that were shown the longest, as BCP 47; null for none.'),
  lines: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .nullable()
    .describe('Pixels of the shorter side of the rendition that was shown the longest; null if unknown.'),
})
export type PlaybackReport = z.infer<typeof PlaybackReport>

export const recordPlayback = endpoint({
  name: 'recordPlayback',
  tag: 'analytics',
  summary:
    'Adds what was watched in a playback to the numbers of the video; nothing else about the viewer is stored',
  method: 'POST',
  path: '/video/:id/playback',
  auth: 'none',
  params: z.object({ id: VideoId }),
  body: PlaybackReport,
  result: z.null(),
  message: 'Playback recorded',
})

/** Days up to today; `all` begins with the first numbers. */
export const AnalyticsPeriod = z.enum(['7', '28', '90', '365', 'all'], wrong(videoErrors.periodFormat))
export type AnalyticsPeriod = z.infer<typeof AnalyticsPeriod>

const query = z.object({
  period: AnalyticsPeriod.optional().describe('Number of days up to today, or `all`. Default: `28`.'),
})

const Totals = z.object({
  views: z.number().int(),
  playbacks: z
    .number()
    .int()
    .describe('Playbacks whose player reported what was watched. The other numbers are about these.'),
  watchedSeconds: z.number(),
  averageShare: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Part of the video that a playback shows on average, from 0 to 1; null without playbacks.'),
})

export const Analytics = z.object({
  totals: Totals,
  days: z
    .array(
      Totals.pick({ views: true, playbacks: true, watchedSeconds: true }).extend({
        day: z.iso.date().describe('In UTC.'),
      }),
    )
    .describe('Every day of the period, oldest first.'),
  retention: z
    .array(z.number().min(0).max(1))
    .describe(
      `For each of ${retentionParts} equal parts of the video the share of playbacks that showed it; empty without playbacks.`,
    ),
  retentionSinceCut: z
    .object({
      day: z.iso.date().describe('Its first day, in UTC: the one after the cut.'),
      playbacks: z.number().int().describe('Since then.'),
    })
    .optional()
    .describe(
      'Of a video that was cut within the period: what was shown before has other parts, so `retention` begins after it.',
    ),
  sources: z
    .array(
      z.object({
        source: TrafficSource,
        host: z.string().nullable().describe('The other site, for `external` and `embed`.'),
        playbacks: z.number().int(),
      }),
    )
    .describe('Where viewers came from, most playbacks first.'),
  captions: z
    .array(
      z.object({
        language: z.string().nullable().describe('BCP 47; null without captions; `other` for rare ones.'),
        watchedSeconds: z.number(),
      }),
    )
    .describe('Watch time by the captions that were shown, longest first.'),
  qualities: z
    .array(
      z.object({
        lines: z.number().int().nullable().describe('Pixels of the shorter side; null if unknown.'),
        watchedSeconds: z.number(),
      }),
    )
    .describe('Watch time by quality, longest first.'),
})
export type Analytics = z.infer<typeof Analytics>

export const getVideoAnalytics = endpoint({
  name: 'getVideoAnalytics',
  tag: 'analytics',
  summary: 'How an own video was watched',
  method: 'GET',
  path: '/studio/videos/:id/analytics',
  auth: 'required',
  channelRole: 'editor',
  params: z.object({ id: VideoId }),
  query,
  result: Analytics.extend({ title: z.string(), durationSeconds: z.number() }),
  message: 'Analytics of the video',
})

/** Number of videos in the analytics of a channel. */
export const listedTopVideos = 20

export const getChannelAnalytics = endpoint({
  name: 'getChannelAnalytics',
  tag: 'analytics',
  summary: 'How all own videos together were watched',
  method: 'GET',
  path: '/studio/analytics',
  auth: 'required',
  channelRole: 'editor',
  query: query.extend(ChannelQuery.shape),
  result: Analytics.extend({
    videos: z
      .array(Totals.extend({ _id: VideoId, title: z.string() }))
      .describe(`The ${listedTopVideos} videos that were watched the longest.`),
  }),
  message: 'Analytics of the channel',
})
