import type { FastifyRequest } from 'fastify'

/** A host name or address with an optional port. */
export const hostPattern = /^[\w.-]+(:\d+)?$|^\[[\da-fA-F:]+\](:\d+)?$/

/**
 * Returns the public origin of the site without a trailing slash: `PUBLIC_URL` if set, else the Host header.
 * `X-Forwarded-Host` is ignored: a proxy that forwards the client's value would allow web cache poisoning.
 */
export function originOf(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl) return new URL(publicUrl).origin
  const given = request.headers.host ?? ''
  const host = hostPattern.test(given) ? given : 'localhost'
  return `${request.protocol === 'https' ? 'https' : 'http'}://${host}`
}
