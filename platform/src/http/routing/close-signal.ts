import type { FastifyReply } from 'fastify'

/** Aborts when the client disconnects or has its response. */
export function closeSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const closed = new AbortController()
  // A client may disconnect before its request gets here.
  if (raw.closed || raw.destroyed) closed.abort()
  else raw.once('close', () => closed.abort())
  return closed.signal
}
