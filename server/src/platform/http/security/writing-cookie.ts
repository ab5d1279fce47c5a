import type { FastifyReply, FastifyRequest } from 'fastify'

const name = 'wrote'
/** Longer than the response cache keeps an entry. */
const maxAgeSeconds = 2

/** Names this process in a cookie of a client that has just written. */
export function rememberWriting(reply: FastifyReply, thisProcess: string): void {
  reply.setCookie(name, thisProcess, { path: '/api', httpOnly: true, sameSite: 'lax', maxAge: maxAgeSeconds })
}

/**
 * Whether another process has just written for this client. Cached responses of this process may then be older than the
 * write, until the notification of it arrives.
 */
export function hasWrittenElsewhere(request: FastifyRequest, thisProcess: string): boolean {
  const writer = request.cookies[name]
  return writer !== undefined && writer !== thisProcess
}
