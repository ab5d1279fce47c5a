import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from './content-negotiation.ts'

/** Sends 304 when `If-None-Match` matches, otherwise the body, which is made only then. */
export function sendWithEtag(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, body }: { etag: string; body: () => string | Buffer },
): FastifyReply {
  reply.header('etag', etag)
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.send(body())
}
