import type { FastifyReply, FastifyRequest } from 'fastify'

const name = 'wrote'
/** Longer than any process keeps an answer. */
const maxAgeSeconds = 2

/** Leaves word with the client that this process has just written for it. */
export function rememberWriting(reply: FastifyReply, thisProcess: string): void {
  reply.setCookie(name, thisProcess, { path: '/api', httpOnly: true, sameSite: 'lax', maxAge: maxAgeSeconds })
}

/**
 * Whether another process has just written for this client. What is kept here may then be from before, until that
 * process's word has arrived.
 */
export function hasWrittenElsewhere(request: FastifyRequest, thisProcess: string): boolean {
  const writer = request.cookies[name]
  return writer !== undefined && writer !== thisProcess
}
