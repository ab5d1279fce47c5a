import type { EmbedPolicy } from '@kinora/contract/videos/embeds.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { frameAncestorsOf, mayEmbed } from './rules.ts'

/** Destinations of requests for documents inside a page (Fetch Metadata). */
const frames = new Set(['iframe', 'frame', 'embed', 'object'])

/**
 * Whether a page that may not embed the video requests it for a frame, as far as the browser says. A page may hide its address;
 * then the browser itself refuses by `limitFrames`, without a readable reason.
 */
export function isRefusedFrame({ headers, host }: FastifyRequest, policy: EmbedPolicy): boolean {
  if (!frames.has(String(headers['sec-fetch-dest']))) return false
  if (policy.allowed === 'nowhere' && headers['sec-fetch-site'] !== 'same-origin') return true
  return headers.referer !== undefined && !mayEmbed(policy, headers.referer, host)
}

/** Makes browsers refuse to show the response in frames of other pages. */
export function limitFrames(reply: FastifyReply, policy: EmbedPolicy): void {
  const header = 'content-security-policy'
  const current = String(reply.getHeader(header) ?? '')
  reply.header(
    header,
    current.replace(/frame-ancestors [^;]*/, `frame-ancestors ${frameAncestorsOf(policy)}`),
  )
}
