import type { FastifyRequest } from 'fastify'

/** The name or address of a host, and its port. */
export const hostPattern = /^[\w.-]+(:\d+)?$|^\[[\da-fA-F:]+\](:\d+)?$/

/**
 * The origin under which people reach the site, without a slash at the end: `PUBLIC_URL` where it is set, else
 * what the request (or a trusted proxy in front) says.
 */
export function originOf(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl) return new URL(publicUrl).origin
  const host = hostPattern.test(request.host) ? request.host : 'localhost'
  return `${request.protocol === 'https' ? 'https' : 'http'}://${host}`
}
