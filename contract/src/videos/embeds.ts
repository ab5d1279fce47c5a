import { z } from 'zod'
import { ChannelQuery } from '../channel-roles.ts'
import { endpoint } from '../endpoint.ts'
import { wrong } from '../field-errors.ts'
import { videoErrors } from './errors.ts'
import { VideoId } from './videos.ts'

const maxSites = 50

/** Host names as DNS has them, with a port if wished; `*.` in front stands for every name below. */
const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'
const hostPattern = new RegExp(`^(?:\\*\\.)?${label}(?:\\.${label})*(?::\\d{1,5})?$`)

/** The host of an address or name, as browsers write it. */
function hostOf(text: string): string {
  const name = text.trim().toLowerCase()
  if (/^https?:\/\//.test(name) && URL.canParse(name)) return new URL(name).host
  return /^[\0-\x7f]*$/.test(name) ? name : inAscii(name)
}

/** A name with other letters as DNS has it: `münchen.de` is `xn--mnchen-3ya.de` (RFC 5891). */
function inAscii(name: string): string {
  const [, wildcard = '', host = '', port = ''] = /^(\*\.)?([^/:@?#]*)(:\d+)?$/.exec(name) ?? []
  return URL.canParse(`https://${host}`) ? wildcard + new URL(`https://${host}`).host + port : name
}

const hasPossiblePort = (host: string) => {
  const port = Number(/:(\d+)$/.exec(host)?.[1] ?? 443)
  return port >= 1 && port <= 65_535
}

const Site = z
  .string()
  .overwrite(hostOf)
  .max(254)
  .regex(hostPattern, { ...wrong(videoErrors.embedSite), abort: true })
  .refine(hasPossiblePort, wrong(videoErrors.embedSitePort))

/** Sites in whose pages other people may show the player. */
export const EmbedPolicy = z.object({
  allowed: z.enum(['everywhere', 'sites', 'nowhere']),
  sites: z
    .array(Site)
    .overwrite((sites) => [...new Set(sites)])
    .max(maxSites, wrong(videoErrors.embedSiteLimit, { limit: maxSites }))
    .describe('Hosts such as `example.org` or `*.example.org`; used with `sites`.'),
})
export type EmbedPolicy = z.infer<typeof EmbedPolicy>

/** As it was saved, which may have been before sites were refused that are refused now. */
const SavedPolicy = EmbedPolicy.extend({ sites: z.array(z.string()) })

const auth = 'required'
const params = z.object({ id: VideoId })

export const VideoEmbeds = z.object({
  own: SavedPolicy.nullable().describe('Null where that of the channel counts.'),
  channel: SavedPolicy,
})
export type VideoEmbeds = z.infer<typeof VideoEmbeds>

export const getVideoEmbeds = endpoint({
  name: 'getVideoEmbeds',
  tag: 'embeds',
  summary: 'Sites that may embed an own video',
  method: 'GET',
  path: '/studio/videos/:id/embeds',
  channelRole: 'editor',
  auth,
  params,
  result: VideoEmbeds,
  message: 'Embeds',
})

export const putVideoEmbeds = endpoint({
  name: 'putVideoEmbeds',
  tag: 'embeds',
  summary: 'Chooses the sites that may embed an own video',
  method: 'PUT',
  path: '/studio/videos/:id/embeds',
  channelRole: 'editor',
  auth,
  params,
  body: z.object({ own: EmbedPolicy.nullable().describe('Null for the choice of the channel.') }),
  result: VideoEmbeds,
  message: 'Embeds saved',
})

export const getChannelEmbeds = endpoint({
  name: 'getChannelEmbeds',
  tag: 'embeds',
  summary: 'Sites that may embed videos of the own channel, unless a video has a choice of its own',
  method: 'GET',
  path: '/studio/embeds',
  channelRole: 'manager',
  query: ChannelQuery,
  auth,
  result: SavedPolicy,
  message: 'Embeds',
})

export const putChannelEmbeds = endpoint({
  name: 'putChannelEmbeds',
  tag: 'embeds',
  summary: 'Chooses the sites that may embed videos of the own channel',
  method: 'PUT',
  path: '/studio/embeds',
  channelRole: 'manager',
  query: ChannelQuery,
  auth,
  body: EmbedPolicy,
  result: SavedPolicy,
  message: 'Embeds saved',
})
