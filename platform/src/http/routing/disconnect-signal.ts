import { errors } from '@kinora/contract/errors.ts'
import type { FastifyReply } from 'fastify'
import { AppError } from '../../errors.ts'

/** Aborted when the connection closes before the response is sent. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const close = () => {
    if (!raw.writableFinished) controller.abort(new AppError(errors.connectionClosed))
  }
  if (raw.closed) close()
  else raw.once('close', close)
  return controller.signal
}
