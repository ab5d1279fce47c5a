import type { FastifyReply, FastifyRequest } from 'fastify'

const prefix = 'wrote-'
/** Longer than a cached value may be used. */
const maxAgeSeconds = 2

/** Marks the client as having written through this process. */
export function markWriter(reply: FastifyReply, processId: string): void {
  reply.setCookie(prefix + processId, '1', {
    path: '/api',
    httpOnly: true,
    sameSite: 'lax',
    maxAge: maxAgeSeconds,
  })
}

/** Whether the client has just written through another process, whose changes the caches of this one do not know. */
export function hasWrittenElsewhere(request: FastifyRequest, processId: string): boolean {
  return Object.keys(request.cookies).some((name) => name.startsWith(prefix) && name !== prefix + processId)
}
