import type { FastifyRequest } from 'fastify'

/** The name or address of a host, and its port. */
export const hostPattern = /^[\w.-]+(:\d+)?$|^\[[\da-fA-F:]+\](:\d+)?$/

/**
 * The origin under which people reach the site, without a slash at the end: `PUBLIC_URL` where it is set, else
 * the host that the request names. `X-Forwarded-Host` is never believed: a proxy that passes on what visitors write there
 * would put their host into pages that others get from a cache.
 */
export function originOf(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl) return new URL(publicUrl).origin
  const given = request.headers.host ?? ''
  const host = hostPattern.test(given) ? given : 'localhost'
  return `${request.protocol === 'https' ? 'https' : 'http'}://${host}`
}
