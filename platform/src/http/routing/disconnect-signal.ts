import type { FastifyReply } from 'fastify'
import { AppError } from '../../errors.ts'

/** Aborted when the connection closes before the response is sent. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const close = () => {
    if (!raw.writableFinished) controller.abort(new AppError('invalid', 'The client closed the connection'))
  }
  if (raw.closed) close()
  else raw.once('close', close)
  return controller.signal
}
